"""Benchmarks that anyone can rerun: ratios against a rival or a limit, in one run."""
