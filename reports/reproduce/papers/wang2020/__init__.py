"""Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020)."""
