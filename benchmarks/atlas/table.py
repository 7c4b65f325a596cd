"""The table of the atlas, made of what was recorded."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .audits import ALPHA, MOST_ROWS, SECONDS

ORDER = ("violation", "unknown", "no violation found", "proved", "not audited")

HEAD = f"""\
# Released libraries, audited

Written by `make bench-atlas`. Each release has an environment of its own. A row is one mechanism,
called as a user would, with the claim that the package states; `provado audit` gets the claim, one
to three pairs of neighbors and {SECONDS:g} seconds, and nothing is tuned. The probability of any
false alarm is at most 5 % over the whole table (each row gets 1/{MOST_ROWS} of it). Rows that
compare an accountant with an enclosure of the true ε involve no chance.
"""

COLUMNS = ("package", "what", "claim", "found", "verdict", "cause or reason", "independent check")


def faults(row: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with a row: a violation unconfirmed, or one missed."""
    if row["verdict"] != "violation":
        missed = "exact" in row and row["exact"]["epsilon"] > row["epsilon"] * (1 + 1e-9)
        return ["the ε of its parameters is above the claim"] if missed else []
    if row["check"] is None:
        return ["violation without an independent check"]
    if row["check"]["epsilon"] <= row["epsilon"]:
        return ["the independent check does not confirm the violation"]
    return []


def ordered(rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the rows sorted by verdict, violations of the largest ratio first."""

    def key(row: Mapping[str, Any]) -> tuple[Any, ...]:
        ratio = (row.get("lower") or 0) / (row.get("epsilon") or math.inf)
        violation = row["verdict"] == "violation"
        return ORDER.index(row["verdict"]), -ratio if violation else 0, row["package"], row["name"]

    return sorted(rows, key=key)


def cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return one line of the table."""
    claim = "" if row.get("epsilon") is None else f"ε = {row['epsilon']:.4g}"
    if row.get("delta"):
        claim += f", δ = {row['delta']:.3g}"
    found = ""
    if row.get("upper") is not None:
        found = f"{row['lower']:.8g} ≤ ε ≤ {row['upper']:.8g}, {distance(row)}"
        claim = claim.replace(f"{row['epsilon']:.4g}", f"{row['epsilon']:.8g}")
    elif row.get("lower") is not None and not (row["verdict"] == "unknown" and not row["lower"]):
        found = f"ε ≥ {row['lower']:.4g}"
        if row.get("detectable") and row["verdict"] == "no violation found":
            found += f" (detectable: {row['detectable']:.4g})"
    check = row.get("check")
    confirmed = [f"ε ≥ {check['epsilon']:.4g}: {check['how']}"] if check else []
    if exact := row.get("exact"):
        confirmed.append(f"ε = {exact['epsilon']:.6g} by its parameters: {exact['how']}")
    told = row.get("reason") or (row.get("cause") if row["verdict"] == "violation" else "") or ""
    package = f"{row['package']} {row['version']}"
    return package, row["name"], claim, found, row["verdict"], told, "; ".join(confirmed)


def distance(row: Mapping[str, Any]) -> str:
    """Return how far the claim of an accountant is from the true ε."""
    claim, low, high = row["epsilon"], row["lower"], row["upper"]
    if claim < low:
        return f"above the claim by at least {low - claim:.2g}"
    if claim < high:
        return f"at most {max(claim - low, high - claim):.2g} from the claim"
    return f"below the claim by at most {(claim - low) / claim:.2g} of it"


def summary(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return how many packages and rows there are, by verdict, and the time of the rows."""
    tried = [row for row in rows if row["verdict"] != "not audited"]
    counts = Counter(row["verdict"] for row in tried)
    told = ", ".join(f"{counts[one]} {one}" for one in ORDER if counts[one])
    packages = len({row["package"] for row in tried})
    left_out = len({row["package"] for row in rows} - {row["package"] for row in tried})
    minutes = sum(row.get("seconds") or 0.0 for row in tried) / 60
    return (
        f"{packages} packages, {len(tried)} rows: {told}. {left_out} packages were not audited. "
        f"The rows took {minutes:.0f} minutes in all, one after the other."
    )


def markdown(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the whole page of results; more rows than share alpha are an error."""
    if len(rows) > MOST_ROWS:
        raise ValueError(f"{len(rows)} rows, but α is divided by {MOST_ROWS}: {ALPHA:g} each")
    lines = [" | ".join(COLUMNS), " | ".join("---" for _ in COLUMNS)]
    lines += [" | ".join(map(_cell, cells(row))) for row in ordered(rows)]
    table = "\n".join(f"| {line} |" for line in lines)
    return f"{HEAD}\n{summary(rows)}\n\n{table}\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
