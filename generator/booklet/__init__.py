"""Rules booklets: Markdown → pages, folded once."""
