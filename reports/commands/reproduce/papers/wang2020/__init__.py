"""Experiments of Wang, Pang and Song (2020), Priv-PC."""
