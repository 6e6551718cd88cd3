"""From the Ground Up."""
