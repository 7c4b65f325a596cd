"""``provado effect``: causal estimates beside associative ones."""
