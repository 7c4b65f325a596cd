"""Methods of private causal discovery side by side, whatever paper they are from."""
