"""What shows that a claim fails: pairs with exact losses, and pumps for every multiple of ε."""
