"""Sentences, numbers and tables, the same everywhere."""
