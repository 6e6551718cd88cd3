"""Rolling Cubes."""
