"""Two columns: which one causes the other, and private releases of the answer."""
