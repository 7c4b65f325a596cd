"""Lemma 1: setting all data points gives the algorithm's own probabilities."""

from __future__ import annotations

from collections.abc import Callable

from provado.proofs.causal.finite_mechanism import data_point_names
from provado.proofs.causal.model import Value, Values, distribution
from provado.proofs.causal.search import PEOPLE_SCOPE, all_cases

from ._finding import Counterexample, Finding

Setting = Callable[[Values], dict[str, Value]]


def check(claim: str, setting: Setting) -> Finding:
    """Check Pr[O = o | do(setting of d)] = Pr[A(d) = o] for all d and o, in every other case."""
    tried = 0
    for case in all_cases()[::2]:
        m = case.mechanism
        for d in m.datasets:
            tried += 1
            law = distribution(m.model, case.people, ["O"], do=setting(d))
            for o in m.outputs:
                if law.get((o,), 0) != m.chance(d, o):
                    numbers = (
                        ("in the model", law.get((o,), 0 * m.chance(d, o))),
                        ("A", m.chance(d, o)),
                    )
                    found = (Counterexample(f"do({d!r}), output {o!r}", numbers, case),)
                    return Finding(claim, "printed", tried, PEOPLE_SCOPE, found)
    return Finding(claim, "printed", tried, f"every other one of: {PEOPLE_SCOPE}")


def evidence() -> tuple[Finding, ...]:
    """Check the lemma in the models of the battery, for every dataset and output."""
    return (
        check(
            "Pr[O = o | do(D_1 = d_1, …, D_n = d_n)] = Pr[A(d) = o]",
            lambda d: dict(zip(data_point_names(len(d)), d, strict=True)),
        ),
    )


def broken() -> Finding:
    """Set all data points but the last."""
    return check(
        "the same with the last data point left alone",
        lambda d: dict(zip(data_point_names(len(d))[:-1], d, strict=False)),
    )
