"""Tests of conditional independence, and how far a private one is from its level."""
