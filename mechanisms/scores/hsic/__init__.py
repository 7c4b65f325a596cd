"""The Hilbert-Schmidt independence criterion: exact, low rank, permuted, as a test."""
