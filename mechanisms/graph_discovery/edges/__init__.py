"""Private queries about a single edge."""
