"""What every search shares: the skeleton, its directed edges, the tree of all its runs."""
