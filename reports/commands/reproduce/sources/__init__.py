"""Data of the experiments, read from files or drawn, and how close a graph is to the true one."""
