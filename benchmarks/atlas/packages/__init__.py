"""One file a package; each runs in the interpreter of an environment of its own."""
