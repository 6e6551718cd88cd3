"""Elevator Up."""
