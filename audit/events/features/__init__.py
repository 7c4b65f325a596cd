"""Features: the numbers and keys that events are made of, read off an output."""
