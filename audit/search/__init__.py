"""Search for the pair of neighbors with the largest privacy loss; its draws are discarded."""
