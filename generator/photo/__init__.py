"""Reads score sheets from photographs: finds the pages, straightens them, and reads what was written on them.

The stages: `pictures` opens the file, `codes` finds the corner codes, `pages` tells whose they are, `blank` prints the
page, `straighten` lays the photo on it, `ink` keeps what was written, `cells` reads boxes, `readings` judges sheets.
"""
