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
    "the claim of the targets",
    "few runs, many interventions in each",
    "how",
    "nothing lost, nothing spent twice",
    "where to",
)
"""Titles in the help of ``provado audit``; under no title stands what cannot be typed."""

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
    Option(_WHAT, "catalogue", domains.flag, "the built-in mechanisms"),
    Option(_WHAT, "libraries", domains.flag, "the released libraries"),
    Option(
        _WHAT,
        "only",
        OptionDomain(parse={**domains.texts.parse, "metavar": "GLOB"}),
        "of the catalogue and libraries, only names that match; may be repeated",
    ),
    Option(_WHAT, "config", domains.file, "a configuration other than the nearest"),
    Option(
        _WHAT_EACH,
        "python",
        replace(domains.text, parse={"metavar": "PATH"}),
        "run the targets in another interpreter, with its own packages; Python 3.8 or later",
    ),
    Option(_CLAIM, "epsilon", domains.positive, "the claimed ε"),
    Option(_CLAIM, "delta", domains.small_share, "the claimed δ (0)"),
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
        "one dataset (.json, .npy, .csv, .parquet), whose worst pair of neighbors is searched, "
        "instead of --pair",
        toml="a dataset of which the worst neighbors are searched: a file's name, or its records",
        replay="one dataset, of which a handful of neighbors are made",
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
        f"with --data, what a record may be: {DOMAIN_FORMS}; inferred from the data where it is "
        "left out; may be repeated, a column each",
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
        "of bounded-answers: the most that one answer moves (1)",
        keyword="relation",
    ),
    Option(
        _NEIGHBORS_IN_FILE,
        "monotone",
        domains.flag,
        "of bounded-answers: all answers move in one direction (false)",
        keyword="relation",
    ),
    Option(
        _NEIGHBORS_IN_FILE,
        "at_most",
        whole(1),
        "of bounded-answers: so many answers may move",
        keyword="relation",
    ),
    Option(
        _CLAIM_OF_PAIRS,
        "fixed_size",
        domains.flag,
        "with --data under replace-one: the number of records never changes, so only pairs with as "
        "many as the data are tried",
        False,
        toml="with data under replace-one: only pairs with as many records as the data are tried "
        "(false)",
    ),
    Option(
        _CLAIM_OF_PAIRS,
        "arithmetic",
        choice("floating", "ideal"),
        "ideal: exact real arithmetic is meant, leave low-order bits alone (floating)",
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
        "records (.json, .npy, .csv, .parquet), each in the dataset or not by a coin of its own: "
        "audits the targets by few runs; --data are then the records that are always there",
        toml="few runs with many interventions: records, each in the dataset or not by a coin of "
        "its own; a file's name, or the records. data are then those always there",
    ),
    Option(
        _FEW,
        "replacements",
        domains.dataset,
        "records that stand in the canaries' place where their coins say so: replace-one",
    ),
    Option(
        _FEW,
        "score",
        domains.place,
        "a function from an output to a number for each canary, high where it likely was in; "
        "without it the output has these numbers itself",
    ),
    Option(_FEW, "guesses", whole(1), "coins that a run guesses (half)", metavar="N"),
    Option(
        _FEW,
        "threshold",
        domains.finite,
        "guess the scores that are farthest from it, on their side of it",
        metavar="X",
    ),
    Option(_FEW, "runs", whole(1, domains.MOST_RUNS), "runs that count (1)", 1, metavar="N"),
    Option(
        _FEW,
        "explore_runs",
        whole(0, domains.MOST_RUNS),
        "runs before them, discarded, that choose how many coins to guess (0)",
        0,
        keyword="explore",
        metavar="N",
    ),
    Option(
        _HOW_PAIRS,
        "samples",
        domains.trials,
        "certifying trials (10^6, or what fits into a minute); auto: as few as needed, by bets "
        "that are learned on the way; auto:N: at most N; N:END: planned for N, ended after END",
        toml="certifying trials of a pair (10^6), or auto, or auto:N",
    ),
    Option(
        _HOW_PAIRS,
        "explore",
        domains.exploration,
        "exploration samples (as many as certify, at most 10^6); N:KEPT: of wide outputs so many "
        "kept whole; N:KEPT,search=RUNS:END: runs that a search for the pair plans, and after "
        "which it ends",
    ),
    Option(
        _HOW_PAIRS,
        "seconds",
        domains.seconds,
        "plan the trials from a time instead",
        toml="instead of samples: time from which they are planned",
    ),
    Option(
        _HOW_RUN,
        "confidence",
        domains.share,
        "of the whole run, shared by its audits (0.95)",
        CONFIDENCE,
        toml="1 − the chance of any false alarm in the whole run (0.95)",
    ),
    Option(_RUN_IN_FILE, "alpha", domains.share, "instead of confidence: that chance itself"),
    Option(_HOW, "seed", domains.seed, "replays the audit (0)", 0, replay="of the noise (0)"),
    Option(_TYPED_PAIRS, "jobs", domains.jobs, "processes (as many as processors)", 1),
    Option(
        _TYPED,
        "executor",
        OptionDomain(parse={"metavar": "dask://HOST:PORT"}),
        "let the workers of a Dask cluster draw the certifying trials; the same counts",
    ),
    Option(
        _HOW_RUN,
        "block_limit",
        domains.seconds,
        "end an audit as unknown where one block of trials takes longer",
    ),
    Option(
        _LIMIT,
        "memory",
        domains.memory,
        "what each process of an audit may take beyond what it begins with: 500M, 2G",
    ),
    Option(_LIMIT, "no_network", domains.flag, "let the mechanism have no network (Linux)"),
    Option(
        _HOW_PAIRS,
        "timing",
        domains.flag,
        "the run time of each trial is a part of its output; it is noisy",
        False,
    ),
    Option(
        _HOW_PAIRS,
        "stop_early",
        domains.flag,
        "stop once a violation is certain; still valid",
        False,
    ),
    Option(
        _HOW,
        "time_limit",
        domains.seconds,
        f"end an audit as unknown after this time ({TIME_LIMIT:g})",
        toml=f"seconds after which the audit is unknown ({TIME_LIMIT:g})",
        replay=f"for both runs of a pair ({TIME_LIMIT:g})",
    ),
    Option(
        _LASTING,
        "journal",
        domains.file,
        f"keep plans and counts in FILE while they are drawn ({JOURNAL} in --out DIR)",
        toml="file that keeps plans and counts while they are drawn; --resume goes on from it",
    ),
    Option(
        _LASTING,
        "history",
        domains.file,
        "one chance of a false alarm (1 − confidence) for all runs ever with this FILE: each "
        "spends a part of it, and what earlier ones certified is printed",
    ),
    Option(
        _LASTING_TYPED,
        "resume",
        domains.flag,
        "go on with a run that was ended, from its journal; begin where there is none",
    ),
    Option(
        _WHERE,
        "out",
        domains.folder,
        "leave audit.html and audit.json in DIR",
        toml="folder for the reports: audit.html and audit.json, prove.html, replay.html",
    ),
    Option(
        _WHERE,
        "format",
        domains.texts,
        "FORMATS; into FILE, else instead of the table; may be repeated",
        metavar="NAME[=FILE]",
        toml="further reports: NAME goes to the folder out, NAME=FILE to a file",
    ),
    Option(
        _WHERE,
        "baseline",
        domains.file,
        "status 1 if a verdict differs from those in FILE, or a bound rose beyond chance",
        toml="file of recorded bounds and verdicts to compare with",
    ),
    Option(
        _WHERE_TYPED, "update_baseline", domains.flag, "write this run into the baseline instead"
    ),
    Option(_WHERE_TYPED, "verbose", domains.flag, "print everything that the report knows"),
    Option(_WHERE_TYPED, "quiet", domains.flag, "print verdicts alone"),
    Option(_WHERE_TYPED, "wide", domains.flag, "print all columns of the table"),
    Option(_WHERE_TYPED, "json", domains.flag, "as --format json"),
    Option(
        _WHERE,
        "redact",
        domains.flag,
        "leave records of the data and outputs out of every report",
        toml="whether reports leave out records of the data and outputs",
    ),
    Option(_WHERE_TYPED, "anonymous", domains.flag, "leave login and host name out of the report"),
    Option(
        _IN_FILE,
        "expected",
        choice("violation", "no violation found"),
        "the verdict to come: 'violation' or 'no violation found'",
    ),
    Option(
        _IN_FILE_OF_REPLAY,
        "expected",
        choice(
            *("nothing", "number of draws", "shape", "noise scale", "sensitivity", "budget"),
            *("reused noise", "not a number", "seed", "domain", "keys", "type", "output"),
            *("exception", "no answer"),
        ),
        "'nothing', or the kind of a finding to come, such as 'budget' (nothing)",
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
