"""Guessing rules: learned from exploration samples, frozen, then applied to certifying draws."""
