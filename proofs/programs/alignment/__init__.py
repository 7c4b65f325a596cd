"""Proofs by randomness alignment: conditions, examples, the search for shifts, certificates."""
