"""Rank correlations given other columns, stratum by stratum."""
