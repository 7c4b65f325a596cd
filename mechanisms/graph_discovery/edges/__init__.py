"""Private decisions on a single edge, as printed and repaired."""
