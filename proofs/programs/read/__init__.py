"""From a function's source to its paths: which draws, under which conditions, what is returned."""
