"""Geometry in millimetres, y down: outlines, polygons, curves, and the frames and pages they are drawn on."""
