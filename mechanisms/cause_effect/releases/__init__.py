"""Private releases of dependence scores, as printed and as repaired."""
