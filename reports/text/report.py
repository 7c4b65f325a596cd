"""What one audit has to say: each text is made once, and every output shows it as it is."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from provado.audit.events.features.feature import EventKind, merged
from provado.audit.result import AuditResult, OneRunFinding, PairResult
from provado.mechanisms import Verdict
from provado.mechanisms.definitions.relation import cut
from provado.reports.text import sentences
from provado.reports.text.cause_and_fix import cause
from provado.reports.text.formatting import clean, counted, percent, plain
from provado.reports.text.power import REST_OF_GUESSES, guesses, interventions, power_of
from provado.reports.text.proved import decided, gap_words, proved_bound
from provado.reports.text.sentences import Row, claim, limit
from provado.reports.text.sentences import searched as searched_words

TESTED, UNTESTED, NOT_APPLICABLE = "tested", "untested", "not applicable"

HAZARD = "Hazard: "
"""Begins the heading of each row on a hazard."""

NOT_TESTED = (
    "Several releases about the same people: together they cost more than the ε of one.",
    "What else the program reveals: its run time, memory, errors, logs and files.",
    "Datasets other than those named in each audit, kinds of output other than those examined, and "
    "events too rare for its trials.",
    "Other versions, parameters, platforms and inputs.",
    "Whether the claimed ε and δ, and the unit that they protect, are enough for these data.",
)
"""What no audit examines, in sentences."""

VALIDITY = (
    "how often Provado itself reports sound mechanisms is measured by `make bench-validity` and "
    "kept in benchmarks/results/validity.md"
)
"""Where the auditor's own record is."""

_LONGEST = 1000
"""Of a text in characters: names that a mechanism brought may be of any length."""

_FLOATS = (EventKind.FLOAT_BITS, EventKind.THRESHOLDS, EventKind.INTERVALS, EventKind.WEIGHTED)


def evidence(result: AuditResult, *, anytime: bool) -> tuple[Row, ...]:
    """Return headings and texts: limitations, claim, experiment, bounds and gaps, then hazards.

    The hazards are those of an evaluation after NIST SP 800-226, each tested, untested or not
    applicable, with the reason. anytime: whether the audit was allowed to stop early.
    """
    limits = [("Limitations", " ".join(result.limitations))] if result.limitations else []
    hazards = [(f"{HAZARD}{name}", f"{status}: {why}") for name, status, why in _judged(result)]
    rows = (*limits, *_statement(result), *_experiment(result, anytime), *hazards)
    return tuple((name, cut(text, _LONGEST)) for name, text in rows)


def _statement(result: AuditResult) -> Iterator[Row]:
    variant = "approximate differential privacy at one δ" if result.delta else "pure ε"
    yield "Claim", f"{claim(result)} ({result.promise or variant})"
    relation = result.relation or "not stated; the pairs given were taken for neighbors"
    public = {"replace-one": "public", "add-or-remove-one": "not public"}.get(result.relation)
    known = f"; the number of records is {public}" if public else ""
    yield "Neighboring relation", f"{relation}{known}"
    unit = "one record, or one answer, of the data as the mechanism takes them"
    yield "Privacy unit", f"{unit}; whether a person has more than one is not known to an audit"
    searched = result.search
    if searched is None:
        given = "pairs" if result.one_run is None else "data points"
        yield "Data domain", f"not stated: the {given} were given"
    else:
        inferred = ", inferred from the data" if searched.inferred else ""
        yield "Data domain", f"{searched.domain}{inferred}"


def _experiment(result: AuditResult, anytime: bool) -> Iterator[Row]:
    if result.exact is not None:
        yield "Experiment", "none: the claim was decided by exact arithmetic on the table given"
    elif result.one_run is not None:
        yield from _one_run(result, result.one_run)
    elif result.pairs:
        yield from _sampled(result, anytime)
    yield "Certified bound", f"{limit(result)} at {percent(result.confidence)}"
    yield "Proved bound", _proved(result)
    yield "Not tested", " ".join(NOT_TESTED)
    yield "The auditor's own record", VALIDITY


def _sampled(result: AuditResult, anytime: bool) -> Iterator[Row]:
    pairs = len({pair.index for pair in result.pairs})
    searched = result.search
    if searched is None:
        yield "Pairs", f"{counted(pairs, 'pair')}, chosen by the user"
    else:
        yield "Pairs", f"{searched_words(result)} The draws of the search were discarded."
    kinds = "; ".join(one.words() for one in merged(k for p in result.pairs for k in p.event_kinds))
    yield "Kinds of event", kinds or "none that was found to distinguish the datasets"
    explored = sum(pair.explored_trials for pair in result.pairs)
    trials = sum(pair.counts.trials for pair in result.pairs)
    made = f"{trials:,} certifying trials after {explored:,} of exploration"
    yield "Trials", f"{made}, which chose the rule and were discarded"
    yield "Stopping rule", _stopping(result.pairs, anytime)
    alphas = " or ".join(sorted({f"{pair.method.alpha:.3g}" for pair in result.pairs}))
    each = f"{alphas} for each bound on {counted(pairs, 'pair')}"
    yield "Chance of a false alarm", f"at most {1 - result.confidence:.3g} in this audit, {each}"


def _one_run(result: AuditResult, finding: OneRunFinding) -> Iterator[Row]:
    if not finding.runs:
        return
    yield "Interventions", f"{interventions(result, finding)} The user chose them."
    yield "Kinds of event", "the scores of the data points, as they were given, and nothing else"
    yield "Guesses", guesses(finding)
    yield "Stopping rule", "the numbers of runs and of guesses were fixed beforehand"
    yield "Chance of a false alarm", f"at most {1 - result.confidence:.3g} in this audit"
    yield "Beyond the guesses", REST_OF_GUESSES


def _stopping(pairs: Sequence[PairResult], anytime: bool) -> str:
    if any(pair.method.bettors for pair in pairs):
        return "sequential: at a certified violation, at the power asked for, or when time was over"
    if anytime:
        return "once a violation was certain, or at the planned number"
    if any(pair.counts.trials < pair.planned_trials for pair in pairs):
        return "cut short from outside"
    return "the number of trials was fixed beforehand"


def _proved(result: AuditResult) -> str:
    if result.exact is not None:
        return f"{result.verdict}, by the kernel; again with the command that repeats the audit"
    if result.program is not None:
        finding = result.program
        return " ".join(filter(None, (decided(finding), proved_bound(finding), gap_words(result))))
    stated = f"; published in {result.source}, see `provado verify`" if result.source else ""
    if result.true_epsilon is not None:
        gap = result.true_epsilon - result.epsilon_lower
        side = "below" if gap >= 0 else "above"
        return (
            f"the mechanism's exact ε is {plain(result.true_epsilon)} (on its first pair, in real "
            f"arithmetic); the certified bound lies {abs(gap):.3g} {side} it{stated}"
        )
    return f"none: nothing is said of how large ε may be{stated}"


def _judged(result: AuditResult) -> Iterator[tuple[str, str, str]]:
    drawn, exact = bool(result.pairs), result.exact is not None
    few = result.one_run is not None and result.certifies
    looked = {kind.kind for pair in result.pairs for kind in pair.event_kinds}
    untested = NOT_APPLICABLE if exact else UNTESTED
    yield "size of ε and δ", UNTESTED, "whether they are small enough is a judgement"
    yield "privacy unit", UNTESTED, "what one record is to a person is a judgement"
    answer = UNTESTED, "none was stated, or no pair was completed"
    if result.relation and (drawn or exact or few):
        answer = TESTED, "each coin is one step of it" if few else "each pair was checked"
    yield "neighboring relation", *answer
    given = "data points" if result.one_run else "pairs"
    answer = UNTESTED, f"only on the {given} that were given"
    if result.search is not None and drawn:
        answer = (
            TESTED,
            "on the pairs that were tried, records at the ends of the domain among them",
        )
    yield "sensitivity and clipping", *answer
    by = "every output of the table" if exact else "by the kinds of event above"
    yield "noise", *((TESTED, by) if exact or drawn or few else (UNTESTED, "nothing was drawn"))
    structure = drawn and bool(looked & {EventKind.STRUCTURE, EventKind.VALUES})
    by = "on the pairs above" if structure else "not among the kinds of event"
    name = "keys, lengths and types that depend on the data"
    yield name, TESTED if structure else untested, by
    yield _floating(result, looked)
    alone = "runs are few, and each was taken for independent of the others"
    answer = untested, alone if few else "no experiment was completed"
    if drawn and result.verdict is not Verdict.UNKNOWN:
        answer = TESTED, "within this run"
    yield "state between calls, noise used twice", *answer
    yield "composition, budget over time", UNTESTED, "one call is one release here"
    yield "random generator", UNTESTED, "generators were seeded for the audit where they could be"
    only = "only what is returned or raised was examined"
    yield "timing and other side channels", UNTESTED, only
    yield "collection, storage and access", UNTESTED, "outside of the program"
    yield "accuracy and bias of the answers", UNTESTED, "no matter of privacy"


def _floating(result: AuditResult, looked: set[EventKind]) -> tuple[str, str, str]:
    name = "floating point"
    if result.exact is not None or (result.pairs and not looked & set(_FLOATS)):
        return name, NOT_APPLICABLE, "no output was a real number"
    if result.arithmetic == "ideal":
        return name, UNTESTED, "exact real arithmetic was declared to be meant"
    if EventKind.FLOAT_BITS in looked:
        return name, TESTED, "low-order bits were examined, on the pairs above"
    return name, UNTESTED, "low-order bits were not among the kinds of event"


class AuditReport:
    """The texts of one result. anytime: whether the audit was allowed to stop early."""

    def __init__(self, result: AuditResult, *, anytime: bool) -> None:
        self._result, self._anytime = result, anytime

    @cached_property
    def cause(self) -> str:
        """Why it violates its claim; empty for any other verdict."""
        return cause(self._result)

    @cached_property
    def power(self) -> str:
        """Which violations it would have certified; empty unless none was found."""
        return power_of(self._result)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Names and printable texts: limitations, worst pair, evidence, cause and the rest."""
        result = sentences.finding_rows(self._result, cause_said=self.cause)
        return tuple((name, clean(text)) for name, text in result)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The rows as lines."""
        return tuple(f"{name}: {text}" for name, text in self.rows)

    @cached_property
    def evidence(self) -> tuple[Row, ...]:
        """What the audit covers and what it does not."""
        return evidence(self._result, anytime=self._anytime)
