"""Where the fields of a score sheet lie on paper, and the corner codes that say so."""
