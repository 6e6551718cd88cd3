"""Cosmic Consequences."""
