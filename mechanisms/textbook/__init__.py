"""Reference mechanisms: one file an algorithm, with its promise, source and broken twins."""
