"""Programs that add noise: read, proved by alignment, refuted by exact probabilities."""
