"""The audit of Zhang et al. (2023)."""

from provado.proofs.ledger.zhang2023 import WORK

from .._audit import Advice, Pairing, Paper, audit_of

EXPERIMENT = audit_of(
    Paper(
        "zhang2023",
        WORK,
        "Differentially Private Nonlinear Causal Discovery from Numerical Data",
        (
            Pairing("one edge by RCIT", "twin/pcd-one-edge", "pcd/one-edge"),
            Pairing("a graph of three columns", "twin/pcd-graph-printed", "pcd/graph"),
        ),
        (
            Advice(
                "a private graph of numeric columns",
                "PCD repaired: fixed kernels, a proved sensitivity, noise on every test",
                "the printed one decides without noise far from the level, and scales its noise "
                "by the data near it",
                rests_on=("pcd/graph", "pcd/one-edge"),
                against=("twin/pcd-graph-printed", "twin/pcd-one-edge"),
            ),
        ),
    )
)
