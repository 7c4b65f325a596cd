"""Private causal discovery: sieve-and-examine, Priv-PC and PCD, as printed and repaired."""
