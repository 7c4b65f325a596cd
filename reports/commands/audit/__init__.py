"""``provado audit``: its options, its tasks, and where its answer goes."""
