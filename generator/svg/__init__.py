"""SVG art → shapes; icons and pictures by file."""
