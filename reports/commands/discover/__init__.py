"""``provado discover``: pairs of columns and graphs."""
