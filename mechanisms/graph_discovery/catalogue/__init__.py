"""Private discoveries of whole graphs, as printed, as released and repaired."""
