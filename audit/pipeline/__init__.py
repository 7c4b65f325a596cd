"""One audit from its samples to its verdict: explore, plan, certify, decide."""
