"""Reference mechanisms: one file a family, with promise, source and broken twins."""
