"""The experiments, a folder a paper, a file a table or figure, each with its ``EXPERIMENT``."""
