"""Exports a game to print services and virtual tabletops: frames → pictures, PDFs and files of other programs."""
