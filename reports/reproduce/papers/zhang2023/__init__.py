"""Zhang et al., Differentially Private Nonlinear Causal Discovery from Numerical Data (2023)."""
