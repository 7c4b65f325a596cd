"""What differs between a run and a baseline, one line an audit, and the exit status of that.

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

from dataclasses import dataclass
from enum import StrEnum

from provado.audit.result import AuditResult
from provado.mechanisms import Verdict
from provado.reports.documents.exit_status import AS_EXPECTED, NOT_COMPLETED, SURPRISE
from provado.reports.tasks.run import Run
from provado.reports.text.formatting import certified, clean, down, plain, up
from provado.reports.text.sentences import claim, limit, lower

from .document import Baseline, Recorded, at_least, claimed, named, within_chance


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
    found = named(run)
    names = {*found, *(baseline.entries if complete else ())}
    differences = []
    for name in sorted(names):
        result, entry = found.get(name), baseline.entries.get(name)
        if result is None:
            differences.append(
                Deviation(name, (Change.VANISHED,), "in the baseline, but not in this run")
            )
        elif entry is None:
            words = f"not in the baseline: {result.verdict}, {claim(result)}"
            differences.append(Deviation(name, (Change.NEW,), words))
        elif told := _differences(result, entry):
            differences.append(Deviation(name, tuple(told), "; ".join(told.values())))
    return tuple(differences)


def exit_status(run: Run, differences: tuple[Deviation, ...]) -> int:
    """Return 1 if something differs, else 3 if any audit is unknown, else 0.

    What the baseline records is accepted, a violation among it; but not that an experiment finds
    no violation of a claim that exact probabilities refute. A verdict that changed to ``unknown``,
    and nothing else, is an audit that could not be completed.
    """
    unknown = {name for name, result in named(run).items() if result.verdict is Verdict.UNKNOWN}
    missed = any(r.refuted_exactly and r.verdict is Verdict.NO_VIOLATION for r in run.results)
    if missed or any(one.fails and not _only_broke(one, unknown) for one in differences):
        return SURPRISE
    return NOT_COMPLETED if unknown else AS_EXPECTED


def _only_broke(difference: Deviation, unknown: set[str]) -> bool:
    return difference.changes == (Change.VERDICT,) and difference.name in unknown


def _differences(result: AuditResult, entry: Recorded) -> dict[Change, str]:
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
