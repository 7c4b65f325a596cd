"""Queries followed once, for all records: exactly where one record changes what they compute."""
