"""Priv-PC (Wang, Pang and Song 2020)."""
