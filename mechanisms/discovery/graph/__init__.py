"""Constraint-based discovery on discrete columns: PC and its private variants."""
