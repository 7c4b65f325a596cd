"""Counterfactual replays: their words, their document, their place in code-scanning services."""
