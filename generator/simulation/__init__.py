"""Games played by simulated players, counted and reported."""
