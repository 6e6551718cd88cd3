"""Verifies set codes and printed PDFs."""
