"""SVG → shapes; icon and picture files."""
