"""Judging filled-in sheets."""
