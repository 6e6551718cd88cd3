"""Lays out boards: a graph → the positions of its spaces and edges."""
