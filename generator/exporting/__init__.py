"""Exports a game to print services and virtual tables: frames → pictures, PDFs and files of other programs."""
