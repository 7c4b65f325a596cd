"""What this project's own noisy tables promise (``discover --method tables``)."""
