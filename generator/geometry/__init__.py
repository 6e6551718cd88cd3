"""Geometry in millimetres, y down: outlines, polygons, curves, frames and pages."""
