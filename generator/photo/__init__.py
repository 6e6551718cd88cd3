"""Reads score sheets from photographs: finds the pages, straightens them, and reads what was written on them.

The stages are modules: `pictures` opens the file, `codes` finds the corner codes, `pages` tells which sheets they are
of, `blank` prints the page without marks, `straighten` lays the photo on it, `ink` keeps what was written, `cells`
reads each box with the classifiers of `nets`, and `readings` judges whole sheets.
"""
