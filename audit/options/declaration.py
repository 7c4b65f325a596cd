"""Every option of an audit and of a replay, declared once.

From these rows are made: the parsers of ``provado audit`` and ``provado replay``, the keys of
provado.toml and their JSON Schema, the keywords of ``audit_dp`` and its marker, the command that
repeats an audit, and the reference in the documentation. The keywords of ``provado.audit.audit``,
``audit_one_run`` and ``replay`` have the names and defaults of their rows. Nothing beyond the
standard library is imported here: pytest reads this when it starts.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from . import domains
from .domains import CLAIM_FORMS, OptionDomain, choice, whole

RELATIONS = ("replace-one", "add-or-remove-one", "bounded-answers")

DOMAIN_FORMS = (
    "LOW:HIGH (either may be left out), a list A,B,C, numbers, integers, text or booleans, and "
    "missing after a comma where a value may be missing"
)

CONFIDENCE = 0.95

TIME_LIMIT = 3600.0
"""Seconds after which an audit, or both runs of a replayed pair, count as hanging."""

JOURNAL = "audit.journal"
"""Name of the journal in the folder of the reports."""

PAIRS, ONE_RUN, REPLAY, COMMAND = "audit", "audit_one_run", "replay", "provado audit"
"""What takes an option: a function of the library, or the command alone."""

WHAT, CLAIM, FEW, HOW, LASTING, WHERE = (
    "what to audit",
    "claim and data",
    "audit in one run or a few, with canaries",
    "how to audit",
    "runs that continue or repeat",
    "output",
)
"""Titles in the help of ``provado audit``; options that cannot be typed have none."""

AUDIT, RUN = "audit", "run"
"""Tables of provado.toml that hold a key: that of an audit, or what holds for the whole run."""


class Place(NamedTuple):
    """Where options are given.

    group: their title in the help, if they can be typed. of: what takes them. table: of
    provado.toml that they are keys of, if any.
    """

    group: str
    of: tuple[str, ...]
    table: str = ""


@dataclass(frozen=True)
class Option:
    """One option.

    at: where it can be given. name: its keyword in Python (unless ``keyword``); as it is typed,
    with dashes for underscores. default: of the keyword; ``None`` where it follows from others.
    toml: its meaning in provado.toml, key: its name there, if others. replay: its meaning in a
    replay, if another.
    """

    at: Place
    name: str
    domain: OptionDomain
    help: str
    default: Any = None
    metavar: str | tuple[str, ...] | None = None
    toml: str = ""
    key: str = ""
    keyword: str = ""
    replay: str = ""

    @property
    def word(self) -> str:
        """The option as it is typed, without its dashes in front."""
        return self.name.replace("_", "-")

    @property
    def in_file(self) -> str:
        """Its key in provado.toml."""
        return self.key or self.word

    def schema(self, of: str) -> dict[str, Any]:
        """Return the JSON Schema of its key, with its meaning for what takes it."""
        words = (self.replay if of == REPLAY else "") or self.toml or self.help
        if self.at.of == (ONE_RUN,) and self.name != "canaries":
            words = f"with canaries: {words}"
        return {**self.domain.schema(), "description": words}


_EITHER, _ALL = (PAIRS, ONE_RUN), (PAIRS, ONE_RUN, REPLAY)
_IN_FILE_ALL = Place("", (COMMAND, REPLAY), AUDIT)
_WHAT = Place(WHAT, (COMMAND,))
_WHAT_EACH = Place(WHAT, (COMMAND,), AUDIT)
_CLAIM = Place(CLAIM, _ALL, AUDIT)
_NEIGHBORS = Place(CLAIM, (PAIRS, REPLAY), AUDIT)
_NEIGHBORS_IN_FILE = Place("", (PAIRS, REPLAY), AUDIT)
_CLAIM_OF_PAIRS = Place(CLAIM, (PAIRS,), AUDIT)
_FEW = Place(FEW, (ONE_RUN,), AUDIT)
_HOW_PAIRS = Place(HOW, (PAIRS,), AUDIT)
_HOW_RUN = Place(HOW, _EITHER, RUN)
_RUN_IN_FILE = Place("", (COMMAND,), RUN)
_HOW = Place(HOW, _ALL, AUDIT)
_TYPED_PAIRS = Place(HOW, (PAIRS,))
_TYPED = Place(HOW, _EITHER)
_LIMIT = Place(HOW, (COMMAND,), RUN)
_LASTING = Place(LASTING, (COMMAND,), RUN)
_LASTING_TYPED = Place(LASTING, (COMMAND,))
_WHERE = Place(WHERE, (COMMAND,), RUN)
_WHERE_TYPED = Place(WHERE, (COMMAND,))
_IN_FILE = Place("", (COMMAND,), AUDIT)
_RELATION = Place(CLAIM, (PAIRS, REPLAY, COMMAND), AUDIT)
_IN_FILE_OF_REPLAY = Place("", (REPLAY,), AUDIT)

OPTIONS = (
    Option(
        _IN_FILE_ALL,
        "target",
        domains.place,
        "what is audited: path/to/file.py:name or module:name",
        replay="what is replayed: path/to/file.py:name or module:name",
    ),
    Option(_WHAT, "catalogue", domains.flag, "audit the built-in mechanisms"),
    Option(_WHAT, "libraries", domains.flag, "audit the releases of installed libraries"),
    Option(
        _WHAT,
        "only",
        OptionDomain(parse={**domains.texts.parse, "metavar": "GLOB"}),
        "with --catalogue or --libraries: only mechanisms whose name matches; may be repeated",
    ),
    Option(_WHAT, "config", domains.file, "read this configuration instead of the nearest one"),
    Option(
        _WHAT_EACH,
        "python",
        replace(domains.text, parse={"metavar": "PATH"}),
        "run the targets in another interpreter (Python 3.8 or later) with its own packages",
    ),
    Option(_CLAIM, "epsilon", domains.positive, "the claimed ε"),
    Option(_CLAIM, "delta", domains.small_share, "the claimed δ (default: 0)"),
    Option(
        _CLAIM,
        "promise",
        domains.promise,
        f"the claim where it is a curve, instead of ε and δ: {CLAIM_FORMS}",
    ),
    Option(
        _NEIGHBORS,
        "pair",
        domains.pairs,
        "files of two neighboring datasets (.json, .npy, .csv); may be repeated",
        key="pairs",
        toml="instead of data: pairs [D, D′], each side a file's name or its records",
    ),
    Option(
        _CLAIM,
        "data",
        domains.dataset,
        "instead of --pair: the file of one dataset (.json, .npy, .csv, .parquet); the audit "
        "searches for its worst pair of neighbors",
        toml="a dataset, as a file's name or its records; the audit searches for its worst "
        "neighbors",
        replay="instead of --pair: the file of one dataset; a few neighbors of it are tried",
    ),
    Option(
        _NEIGHBORS_IN_FILE,
        "values",
        domains.records,
        "with data: records that may stand in it (those that do)",
    ),
    Option(
        _NEIGHBORS,
        "domain",
        domains.columns,
        f"with --data: what a record may be, {DOMAIN_FORMS}; repeat it for each column (default: "
        "inferred from the data)",
        toml="with data: what a record may be, as 0:1, a,b,c, numbers, integers, text; or by "
        "column",
    ),
    Option(
        _RELATION,
        "relation",
        OptionDomain(form={"enum": [*RELATIONS]}, parse={"choices": sorted(RELATIONS[:2])}),
        "the neighboring relation; every pair is checked against it",
        toml=f"who is a neighbor: {', '.join(RELATIONS)}",
    ),
    Option(
        _NEIGHBORS_IN_FILE,
        "sensitivity",
        domains.positive,
        "with bounded-answers: the most that one answer moves (default: 1)",
        keyword="relation",
    ),
    Option(
        _NEIGHBORS_IN_FILE,
        "monotone",
        domains.flag,
        "with bounded-answers: all answers move in one direction (default: false)",
        keyword="relation",
    ),
    Option(
        _NEIGHBORS_IN_FILE,
        "at_most",
        whole(1),
        "with bounded-answers: how many answers may move (default: all)",
        keyword="relation",
    ),
    Option(
        _CLAIM_OF_PAIRS,
        "fixed_size",
        domains.flag,
        "with --data and replace-one: try only pairs with as many records as the data, for a "
        "mechanism that is made for one number of records",
        False,
        toml="with data and replace-one: try only pairs with as many records as the data (default: "
        "false)",
    ),
    Option(
        _CLAIM_OF_PAIRS,
        "arithmetic",
        choice("floating", "ideal"),
        "ideal: the claim is about exact real numbers, so do not examine low-order bits (default: "
        "floating)",
        "floating",
    ),
    Option(
        _CLAIM_OF_PAIRS,
        "read",
        domains.place,
        "a function from an output to plain values, for outputs that cannot be read as they are; "
        "the claim is then about what it returns",
    ),
    Option(
        _FEW,
        "canaries",
        domains.dataset,
        "audit by few runs: a file of records (.json, .npy, .csv, .parquet), each of which a coin "
        "puts into the dataset or leaves out; --data has the records that are always in it",
        toml="audit by few runs: records (or a file's name), each of which a coin puts into the "
        "dataset or leaves out; data has the records that are always in it",
    ),
    Option(
        _FEW,
        "replacements",
        domains.dataset,
        "for a replace-one claim: a file of records, one to take the place of each canary that is "
        "left out",
    ),
    Option(
        _FEW,
        "score",
        domains.place,
        "a function from an output to one number for each canary, high if the canary was likely in "
        "the dataset (default: the output itself has these numbers)",
    ),
    Option(
        _FEW,
        "guesses",
        whole(1),
        "number of coins to guess in each run (default: half of them)",
        metavar="N",
    ),
    Option(
        _FEW,
        "threshold",
        domains.finite,
        "guess the coins whose scores are farthest from X: in above it, out below it",
        metavar="X",
    ),
    Option(
        _FEW, "runs", whole(1, domains.MOST_RUNS), "number of runs (default: 1)", 1, metavar="N"
    ),
    Option(
        _FEW,
        "explore_runs",
        whole(0, domains.MOST_RUNS),
        "number of runs to choose how many coins to guess, discarded afterwards (default: 0)",
        0,
        keyword="explore",
        metavar="N",
    ),
    Option(
        _HOW_PAIRS,
        "samples",
        domains.trials,
        "number of certifying trials (default: 10^6, or what fits into a minute); auto: as few "
        "as needed; auto:N: as few as needed, at most N; N:END: planned for N, ended after END",
        toml="number of certifying trials of a pair (default: 10^6), or auto, or auto:N",
    ),
    Option(
        _HOW_PAIRS,
        "explore",
        domains.exploration,
        "number of exploration samples (default: as many as certifying trials, at most 10^6); "
        "N:KEPT: keep only KEPT of them whole, for wide outputs; N:KEPT,search=RUNS:END: plan "
        "RUNS runs for the search for a pair and end it after END",
    ),
    Option(
        _HOW_PAIRS,
        "seconds",
        domains.seconds,
        "instead of --samples: plan as many trials as fit into this time",
        toml="instead of samples: plan as many trials as fit into this time",
    ),
    Option(
        _HOW_RUN,
        "confidence",
        domains.share,
        "confidence of the whole run, shared by its audits (default: 0.95)",
        CONFIDENCE,
        toml="1 − the chance of any false alarm in the whole run (default: 0.95)",
    ),
    Option(_RUN_IN_FILE, "alpha", domains.share, "instead of confidence: that chance itself"),
    Option(_HOW, "seed", domains.seed, "seed of all random draws (default: 0)", 0),
    Option(
        _TYPED_PAIRS,
        "jobs",
        domains.jobs,
        "number of processes (default: as many as processors)",
        1,
    ),
    Option(
        _TYPED,
        "executor",
        OptionDomain(parse={"metavar": "dask://HOST:PORT"}),
        "let the workers of a Dask cluster draw the certifying trials; the counts are the same",
    ),
    Option(
        _HOW_RUN,
        "block_limit",
        domains.seconds,
        "end an audit as unknown if one block of trials takes longer than this",
    ),
    Option(
        _LIMIT,
        "memory",
        domains.memory,
        "memory that each process of an audit may use beyond what it starts with, such as 500M "
        "or 2G",
    ),
    Option(
        _LIMIT, "no_network", domains.flag, "give the mechanism no access to the network (Linux)"
    ),
    Option(
        _HOW_PAIRS,
        "timing",
        domains.flag,
        "treat the run time of each trial as a part of its output; run times are noisy",
        False,
    ),
    Option(
        _HOW_PAIRS,
        "stop_early",
        domains.flag,
        "stop as soon as a violation is certified; the verdict stays valid",
        False,
    ),
    Option(
        _HOW,
        "time_limit",
        domains.seconds,
        f"end an audit as unknown after this time (default: {TIME_LIMIT:g})",
        toml=f"seconds after which the audit is unknown (default: {TIME_LIMIT:g})",
        replay=f"end a pair as not completed after this time (default: {TIME_LIMIT:g})",
    ),
    Option(
        _LASTING,
        "journal",
        domains.file,
        f"save plans and counts in FILE during the run, for --resume (default: {JOURNAL} in the "
        "folder of --out)",
        toml="file to save plans and counts in during the run; --resume continues from it",
    ),
    Option(
        _LASTING,
        "history",
        domains.file,
        "share one false-alarm probability (1 − confidence) among all runs that use FILE; each "
        "run spends part of it, and prints what earlier ones certified",
    ),
    Option(
        _LASTING_TYPED,
        "resume",
        domains.flag,
        "continue an interrupted run from its journal; start a new run if there is none",
    ),
    Option(
        _WHERE,
        "out",
        domains.folder,
        "write audit.html and audit.json to DIR",
        toml="folder for the reports: audit.html and audit.json, prove.html, replay.html",
    ),
    Option(
        _WHERE,
        "format",
        domains.texts,
        "print the result as FORMATS, or write it to FILE; may be repeated",
        metavar="NAME[=FILE]",
        toml="further reports: NAME goes to the folder out, NAME=FILE to a file",
    ),
    Option(
        _WHERE,
        "baseline",
        domains.file,
        "compare with the verdicts and bounds in FILE; exit with status 1 if a verdict differs or "
        "a bound rose by more than chance allows",
        toml="file of recorded bounds and verdicts to compare with",
    ),
    Option(
        _WHERE_TYPED,
        "update_baseline",
        domains.flag,
        "write the verdicts and bounds of this run to the baseline instead of comparing",
    ),
    Option(_WHERE_TYPED, "verbose", domains.flag, "print everything that the report contains"),
    Option(_WHERE_TYPED, "quiet", domains.flag, "print only the verdicts"),
    Option(_WHERE_TYPED, "wide", domains.flag, "print all columns of the table"),
    Option(_WHERE_TYPED, "json", domains.flag, "print JSON; the same as --format json"),
    Option(
        _WHERE,
        "redact",
        domains.flag,
        "omit records of the data and outputs from every report",
        toml="whether reports omit records of the data and outputs",
    ),
    Option(
        _WHERE_TYPED, "anonymous", domains.flag, "omit your login and the host name from the report"
    ),
    Option(
        _IN_FILE,
        "expected",
        choice("violation", "no violation found"),
        "the expected verdict: 'violation' or 'no violation found' (default)",
    ),
    Option(
        _IN_FILE_OF_REPLAY,
        "expected",
        choice(
            *("nothing", "number of draws", "shape", "noise scale", "sensitivity", "budget"),
            *("reused noise", "not a number", "seed", "domain", "keys", "type", "output"),
            *("exception", "no answer"),
        ),
        "the expected kind of finding, such as 'budget', or 'nothing' (default)",
    ),
)

OF_RUNS = tuple(option for option in OPTIONS if option.at.of == (ONE_RUN,))
"""Options of audits of few runs alone; the first says that an audit is one."""

OF_PAIRS = tuple(
    item for item in OPTIONS if PAIRS in item.at.of and not {ONE_RUN, COMMAND} & {*item.at.of}
)
"""Options that an audit of few runs has no use for."""

EXCLUSIVE = (
    ("samples", "seconds"),
    ("pair", "data"),
    ("values", "domain"),
    ("promise", "epsilon"),
    ("promise", "delta"),
)
"""Of each two at most one may be given in one place."""


def placed(place: Place, *rows: tuple[Any, ...]) -> tuple[Option, ...]:
    """Return options of one place, from rows of what ``Option`` takes after it."""
    return tuple(Option(place, *row) for row in rows)


def named(name: str) -> Option:
    """Return the row of this name."""
    return next(option for option in OPTIONS if option.name == name)


def taken_by(*of: str) -> tuple[Option, ...]:
    """Return the options that one of these takes."""
    return tuple(option for option in OPTIONS if {*of} & {*option.at.of})
