"""Worst neighbors: which two datasets tell most, found with draws that are thrown away."""
