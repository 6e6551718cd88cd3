"""Where the fields of a score sheet are on paper, and the corner codes that identify its layout."""
