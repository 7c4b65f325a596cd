"""One score a file."""
