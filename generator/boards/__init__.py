"""A board as a graph → where its spaces and edges lie."""
