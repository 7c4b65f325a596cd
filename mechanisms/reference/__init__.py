"""Reference mechanisms: one file a family, each with its promise and its source."""
