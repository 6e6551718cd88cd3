"""Reads PDF files within limits, and interprets the content of their pages."""
