"""``provado reproduce``: the papers' experiments, run anew and laid beside what was printed."""
