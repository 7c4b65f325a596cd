"""Further experiments: one run with many canaries, effects, replay under the same noise."""
