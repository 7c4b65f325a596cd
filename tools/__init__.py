"""Measurements of the project's own code, for those who work on it."""
