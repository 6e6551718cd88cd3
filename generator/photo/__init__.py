"""Reads score sheets from photographs: finds the pages, straightens them, and reads what was written on them.

A photograph runs through these stages, each a module: `pictures` opens the file, `codes` finds the corner codes,
`pages` tells which sheets they belong to, `blank` prints the page without marks, `straighten` lays the photographed
page on it, `ink` keeps what was written, `cells` reads each box with the classifiers of `nets`, and `readings` judges
whole sheets.
"""
