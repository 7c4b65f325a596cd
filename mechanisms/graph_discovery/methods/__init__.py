"""Constraint-based discovery: PC and its private variants, one file a method."""
