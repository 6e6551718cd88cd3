"""Rules booklets: Markdown → pages to fold once."""
