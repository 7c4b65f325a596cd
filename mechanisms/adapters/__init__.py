"""Thin adapters: released libraries as mechanisms, the promise read from the library."""
