"""Baselines: what an earlier run certified, and what is different now beyond chance.

The file is JSON with one line an audit, sorted by name, without times and versions. What differs
from it is one line an audit, too.

A frozen rule on two datasets has an ε of its own, below which no number of trials would certify
less and above which none would certify more: the log odds of its guesses for δ = 0,
log((Pr[right] − δ)/Pr[wrong]) of a trial otherwise. Counts bound it from both sides. A certified
bound has risen beyond chance if the new limit from below exceeds what the recorded run allows: its
limit from above and a margin (``within_chance``). Each limit is wrong with at most half of its
audit's share of alpha. With the same rule in both runs, an unchanged mechanism is therefore
reported with probability at most 1 − confidence over the whole run, whatever the two seeds. A rule
that was learned better the second time also counts as a rise, since what it certifies is true of
the mechanism; for what exploring leaves to chance there is the margin.

Measured with rules learned anew, at a stated 5 %, as shares of all ordered pairs of runs with other
seeds. Before the margin: at most 0.5 % for each of six mechanisms of the catalogue (60 seeds; 300
to 5,000 trials after 100,000 exploration samples). With it, where rules vary more: sparse-vector
mechanisms at 300,000 trials 0.4 % and 0.8 % (16 seeds; 3.8 % and 4.6 % without it), a mechanism of
two outputs after some 6,000 exploration samples 1.1 % (20 seeds; 4.7 %). Where 570 samples found a
leak in 19 runs and missed it in one, 5.3 %, more than stated, and no margin would help: give a slow
mechanism more samples.

A change of verdict is always reported. A mechanism that violates its claim by so little that the
audit catches it only sometimes changes its verdict by chance; the line says where the two bounds
do not tell the runs apart.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from scipy.special import betaincinv

from provado.audit.bounds import epsilon_lower
from provado.audit.result import AuditResult, PairResult
from provado.mechanisms import ExactVerdict, UsageError, Verdict
from provado.mechanisms.definitions.relation import short
from provado.reports.documents import schema
from provado.reports.documents.exit_status import exit_status_of
from provado.reports.documents.schema import BASELINE, build, check_form, escaped, load_json
from provado.reports.tasks.run import Run
from provado.reports.text.formatting import certified, clean, down, plain, up
from provado.reports.text.sentences import claim, limit, lower


def baseline_document(run: Run) -> dict[str, Any]:
    """Return what ``provado-baseline.json`` holds after this run."""
    baseline = baseline_of(run)
    entries = baseline.entries.items()
    return {
        "schema": BASELINE,
        "confidence": baseline.confidence,
        "audits": [{"name": name, **schema.plain(entry)} for name, entry in entries],
    }


def dumps(document: dict[str, Any]) -> str:
    """Return the document as text: each audit on a line of its own, ending in a newline."""
    audits = ",\n".join("  " + _dumps(audit) for audit in document["audits"])
    return (
        f'{{\n "schema": {_dumps(document["schema"])},\n'
        f' "confidence": {_dumps(document["confidence"])},\n'
        f' "audits": [{chr(10) if audits else ""}{audits}{chr(10) + " " if audits else ""}]\n}}\n'
    )


def load_baseline(path: Path) -> Baseline:
    """Return the baseline in a file; raises ``UsageError`` naming file, key, value and rule."""
    document = load_json(path)
    check_form(document, BASELINE, str(path), "a baseline is of the form")
    entries: dict[str, Recorded] = {}
    for i, audit in enumerate(document["audits"]):
        place, name = f"{path}: audits[{i}]", audit["name"]
        if name in entries:
            raise UsageError(f"{place}.name is {name!r}: each audit has a name of its own")
        entries[name] = build(Recorded, audit, place)
    return Baseline(document["confidence"], entries)


def check_replaceable(path: Path) -> None:
    """Raise ``UsageError`` where there is a file that is no baseline, which must not be replaced.

    An empty file holds nothing to lose. A baseline of a damaged or another form may be replaced.
    """
    if not path.exists() or (path.is_file() and path.stat().st_size == 0):
        return
    try:
        document = load_json(path)
    except UsageError as error:
        raise UsageError(f"--update-baseline: {error}: no baseline, and not replaced") from error
    form = document.get("schema") if isinstance(document, dict) else None
    if not str(form).startswith("provado-baseline/"):
        what = "no JSON object" if not isinstance(document, dict) else f"schema is {short(form)}"
        raise UsageError(f"--update-baseline: {path}: {what}: no baseline, and not replaced")


def _dumps(value: Any) -> str:
    return escaped(json.dumps(value, ensure_ascii=False, allow_nan=False))


@dataclass(frozen=True)
class Recorded:
    """One audit of the baseline.

    epsilon, delta: the claim; of a curve its parameter and 0. lower: the certified lower limit on
    ε, of a curve on its parameter, rounded down.
    upper: what another run may reach by chance, rounded up; infinite where the counts do not
    bound it.
    samples, seed: what replays it.
    """

    epsilon: float
    delta: float
    verdict: Verdict | ExactVerdict
    lower: float
    upper: float
    samples: int
    seed: int


@dataclass(frozen=True)
class Baseline:
    """Entries by name, and the confidence of the run that they come from."""

    confidence: float
    entries: dict[str, Recorded]


def baseline_of(run: Run) -> Baseline:
    """Return what is kept of a run, by name, sorted."""
    result = named(run)
    return Baseline(
        run.settings.confidence, {name: _entry(result[name]) for name in sorted(result)}
    )


def named(run: Run) -> dict[str, AuditResult]:
    """Return the results by a name of their own: a second ``f`` of a run is ``f #2``."""
    found: dict[str, AuditResult] = {}
    for result in run.results:
        name, number = result.name, 1
        while name in found:
            number += 1
            name = f"{result.name} #{number}"
        found[name] = result
    return found


def _entry(result: AuditResult) -> Recorded:
    epsilon, delta = claimed(result)
    return Recorded(
        epsilon=epsilon,
        delta=delta,
        verdict=result.verdict,
        lower=_number(certified(result.lower, epsilon)),
        # Of a curve no limit from above is known.
        upper=_number(up(within_chance(result))) if result.curve is None else math.inf,
        samples=result.samples,
        seed=result.seed,
    )


def claimed(result: AuditResult) -> tuple[float, float]:
    """Return ε and δ of a claim; of a curve its parameter and 0, as the point tested may vary."""
    if result.curve is not None:
        return float(result.curve.parameter), 0.0
    return float(result.epsilon), float(result.delta)


def _number(text: str) -> float:
    return float(text.replace("∞", "inf"))


def at_least(result: AuditResult) -> float:
    """Return a lower limit on the largest ε that the rules show, at half the audit's alpha.

    The chance that it exceeds that ε is at most (1 − confidence)/2. Certain where the claim was
    decided exactly; 0 where nothing was measured.
    """
    if result.exact is not None:
        return result.exact.lower
    if (finding := result.one_run) is not None:
        return finding.certified(result.delta, (1 - result.confidence) / 2)
    return max((_lower(pair) for pair in result.pairs), default=0.0)


def within_chance(result: AuditResult) -> float:
    """Return the largest limit from below that another run may reach by chance.

    An upper limit on the largest ε that the rules show, at half the audit's alpha: the chance that
    it lies below that ε is at most (1 − confidence)/2, however many pairs there are, since for it
    to lie below, the limit of the pair with the largest ε must. ``math.inf`` where no guess was
    wrong, where nothing was measured, and of guesses of few runs, which may depend on each other.

    And a margin, because another run learns a rule of its own: of each pair, half the distance
    between its two limits, times the square root of trials to exploration samples where these are
    more. (What is learned from so many samples is uncertain by about what as many trials
    leave open.) No margin covers a run that missed an effect altogether.
    """
    if result.exact is not None:
        return result.exact.upper
    alpha = (1 - result.confidence) / 2
    return max(
        (_upper(pair, alpha) + _margin(pair, alpha) for pair in result.pairs), default=math.inf
    )


def _margin(pair: PairResult, alpha: float) -> float:
    upper = _upper(pair, alpha)
    if math.isinf(upper):
        return 0.0
    share = min(1.0, math.sqrt(pair.counts.trials / max(pair.explored_trials, 1)))
    return 0.5 * share * max(0.0, upper - _lower(pair))


def _lower(pair: PairResult) -> float:
    return epsilon_lower(pair.counts, replace(pair.method, alpha=pair.method.alpha / 2))


def _upper(pair: PairResult, alpha: float) -> float:
    counts = pair.counts
    correct, wrong, _ = counts.guessed(pair.method.side)
    if not (pair.witness.guess_d or pair.witness.guess_d_prime):
        return 0.0  # A rule that never guesses shows nothing, whatever the number of trials.
    if wrong == 0:
        return math.inf
    if pair.method.delta == 0:
        # Pr[wrong | guess] from below: its odds are e^(−ε).
        miss = float(betaincinv(wrong, correct + 1, alpha))
        return max(0.0, math.log1p(-miss) - math.log(miss))
    n = counts.trials
    missed = float(betaincinv(wrong, n - wrong + 1, alpha / 2))
    right = 1.0
    if correct < n:
        right = float(betaincinv(correct + 1, n - correct, 1 - alpha / 2))
    gain = right - pair.method.allowed
    return max(0.0, math.log(gain / missed)) if gain > 0 else 0.0


class Change(StrEnum):
    """What is different."""

    NEW = "new"
    VANISHED = "vanished"
    CLAIM = "claim"
    VERDICT = "verdict"
    RISE = "rise"
    FALL = "fall"


@dataclass(frozen=True)
class Deviation:
    """What is different in one audit. name: as in the baseline. words: one line, without it."""

    name: str
    changes: tuple[Change, ...]
    words: str

    @property
    def fails(self) -> bool:
        """Whether a run fails for it; a bound that only fell is good news."""
        return self.changes != (Change.FALL,)

    @property
    def line(self) -> str:
        """The difference as one line for a terminal."""
        return clean(f"{self.name}: {self.words}")


def compare(run: Run, baseline: Baseline, *, complete: bool = True) -> tuple[Deviation, ...]:
    """Return what differs, by name; nothing where all is as recorded.

    complete: whether the run is meant to hold everything that the baseline holds. If not, audits
    of the baseline that were not run are passed over.
    """
    found, entries = named(run), baseline.entries
    names = sorted({*found, *(entries if complete else ())})
    told = {name: _differences(found.get(name), entries.get(name)) for name in names}
    return tuple(
        Deviation(n, tuple(item), "; ".join(item.values())) for n, item in told.items() if item
    )


def exit_status(run: Run, differences: tuple[Deviation, ...]) -> int:
    """Return 1 if something differs, else 3 if any audit is unknown, else 0.

    What the baseline records is accepted, a violation among it; but not that an experiment finds
    no violation of a claim that exact probabilities refute. A verdict that changed to ``unknown``,
    and nothing else, is an audit that could not be completed.
    """
    unknown = {name for name, result in named(run).items() if result.verdict is Verdict.UNKNOWN}
    missed = any(r.refuted_exactly and r.verdict is Verdict.NO_VIOLATION for r in run.results)
    worse = (
        difference
        for difference in differences
        if difference.changes != (Change.VERDICT,) or difference.name not in unknown
    )
    surprising = missed or any(deviation.fails for deviation in worse)
    return exit_status_of(surprising=surprising, incomplete=bool(unknown))


def _differences(result: AuditResult | None, entry: Recorded | None) -> dict[Change, str]:
    if result is None:
        return {Change.VANISHED: "in the baseline, but not in this run"}
    if entry is None:
        return {Change.NEW: f"not in the baseline: {result.verdict}, {claim(result)}"}
    told: dict[Change, str] = {}
    if claimed(result) != (entry.epsilon, entry.delta):
        before = f"ε = {plain(entry.epsilon)}" + (f", δ = {entry.delta:g}" if entry.delta else "")
        told[Change.CLAIM] = f"claim changed from {before} to {claim(result)}"
    moved = _movement(result, entry)
    if result.verdict is not entry.verdict:
        told[Change.VERDICT] = f"verdict changed from {entry.verdict} to {result.verdict}"
        if Verdict.UNKNOWN in (result.verdict, entry.verdict):
            told[Change.VERDICT] += f" ({result.reason})" if result.reason else ""
        elif not moved and Change.CLAIM not in told:
            told[Change.VERDICT] += (
                f" (certified {limit(result)}, before {plain(entry.lower)}: within chance; "
                "more samples decide)"
            )
    return told | moved


def _movement(result: AuditResult, entry: Recorded) -> dict[Change, str]:
    """Return the rise or fall of the certified bound, where both runs measured at the same δ."""
    if Verdict.UNKNOWN in (result.verdict, entry.verdict) or result.delta != entry.delta:
        return {}
    if at_least(result) > entry.upper:
        rise = result.epsilon_lower - entry.lower
        return {
            Change.RISE: f"certified ε rose by {down(rise)}, from {plain(entry.lower)} to "
            f"{certified(result.epsilon_lower, entry.upper)}; the recorded run allows at most "
            f"{plain(entry.upper)} by chance"
        }
    if (ceiling := within_chance(result)) < entry.lower:
        fall = entry.lower - result.epsilon_lower
        return {
            Change.FALL: f"certified ε fell by {down(fall)}, from {plain(entry.lower)} to "
            f"{lower(result)}; this run allows at most {up(ceiling)}: update the baseline to hold "
            "the gain"
        }
    return {}
