"""The mechanism under audit: how it is called, what it may draw from, how its outputs are read."""
