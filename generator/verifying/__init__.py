"""A set code or a printed PDF against the set it names."""
