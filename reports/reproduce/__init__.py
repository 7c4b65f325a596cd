"""``provado reproduce``: the papers' experiments."""
