"""Coded columns, and the contingency tables that are counted from them."""
