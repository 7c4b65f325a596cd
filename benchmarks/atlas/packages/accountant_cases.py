"""Compositions on which every accountant is asked, each with the keywords of an enclosure."""

DELTA = 1e-5

CASES = {
    "16 Gaussian, σ = 2": {"kind": "gaussian", "sigma": 2.0, "steps": 16},
    "20 Laplace, scale 5": {"kind": "laplace", "scale": 5.0, "steps": 20},
    "20 randomized responses, ε = 0.2": {"kind": "response", "epsilon": 0.2, "steps": 20},
    "1,000 sampled Gaussian, σ = 1, q = 0.01": {
        "kind": "sampled gaussian",
        "sigma": 1.0,
        "rate": 0.01,
        "steps": 1000,
    },
    "16 sampled Gaussian, σ = 2, q = 0.5": {
        "kind": "sampled gaussian",
        "sigma": 2.0,
        "rate": 0.5,
        "steps": 16,
    },
    "1 sampled Gaussian, σ = 1, q = 0.05": {
        "kind": "sampled gaussian",
        "sigma": 1.0,
        "rate": 0.05,
        "steps": 1,
    },
}


def declare(rows, accountant, says, *, claim, place):
    """Declare a row for each composition that an accountant covers.

    says: functions by the kind of mechanism; each takes the other keywords and returns ε.
    """
    for name, case in CASES.items():
        kind, rest = case["kind"], {k: v for k, v in case.items() if k != "kind"}
        if kind in says:
            rows.accountant(
                f"{accountant}: {name}",
                epsilon=lambda ask=says[kind], rest=rest: ask(**rest),
                delta=DELTA,
                mechanism=case,
                claim=claim,
                place=place,
            )
