"""SVG files, pictures and boards → shapes."""
