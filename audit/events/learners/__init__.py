"""Learners: scores of outputs, learned from samples that are discarded."""
