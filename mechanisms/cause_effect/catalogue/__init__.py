"""The private releases of Kusner et al. (2016), as printed and as repaired."""
