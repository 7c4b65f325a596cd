"""Pieces that all pages share: elements, frames, tables, figures, formulas, style."""
