"""The conditional distributions of two binary columns, each column's from its noisy counts."""

import pandas as pd
from DataSynthesizer.lib.PrivBayes import construct_noisy_conditional_distributions

EPSILON = 1.0


def claim(_):
    return EPSILON, 0.0


def release(data):
    table = pd.DataFrame(data, columns=["a", "b"])
    found = construct_noisy_conditional_distributions([("b", ["a"])], table, EPSILON)
    root = [round(share, 6) for share in found["a"]]
    return root + [round(share, 6) for each in sorted(found["b"]) for share in found["b"][each]]
