"""Upwards!"""
