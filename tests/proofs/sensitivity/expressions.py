"""Random queries around every operation that ``bound_sensitivity`` follows, and their neighbors."""

from __future__ import annotations

import linecache
import math
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from provado.mechanisms import AddOrRemoveOne, NeighboringRelation, ReplaceOne
from provado.proofs.sensitivity.trace.bound import RecordColumns, Traced, read_domain, trace_query

RECORDS, NUMBER, CELLS, KEYED = (
    "the records",
    "a number that depends on the data",
    "numbers that depend on the data",
    "numbers whose keys depend on the data: .reindex(keys, fill_value=0) fixes them",
)

# What a query may hold: R numbers of each record, T conditions on each, N a number of all, L cells,
# Y numbers by key, M an array with columns, B a table. A production is the operation that it is
# around, what it makes, where (a: an array or a series ``d``; f: a data frame; m: an array with
# two columns), and its text; ``{V}`` is a value beside, ``{N:a}`` a number of another ``d``.
BINARY = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}
COMPARED = {"less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">="}
LOGICAL = {"bitwise_and": "&", "bitwise_or": "|", "bitwise_xor": "^"}


def _productions() -> Iterator[tuple[str, str, str, str]]:
    def of(what: str, made: str, where: str, **texts: Sequence[str]) -> Iterator[Any]:
        for name, several in texts.items():
            label = "[ ]" if name == "item" else name.replace("np_", "np.")
            yield from ((f"{what}: {label}", made, where, text) for text in several)

    for name, sign in BINARY.items():
        for what, kind in ((RECORDS, "R"), (NUMBER, "N"), (CELLS, "L")):
            beside = ("{V}", f"{{{kind}}}")
            texts = [f"({{{kind}}} {sign} {one})" for one in beside]
            texts += [f"({one} {sign} {{{kind}}})" for one in beside]
            texts += [f"np.{name}({{{kind}}}, {beside[0]})", f"np.{name}({beside[0]}, {{{kind}}})"]
            yield from of(what, kind, "afm", **{f"np_{name}": texts})
    yield from of(RECORDS, "R", "afm", np_multiply=["({T} * {R})", "({T} * {V})", "({T} * {T})"])
    yield from of(RECORDS, "R", "afm", np_add=["({T} + {V})", "({T} + {T})"])
    for name, sign in COMPARED.items():
        texts = [f"({{R}} {sign} {{V}})", f"({{R}} {sign} {{D}})", f"np.{name}({{R}}, {{R}})"]
        yield from of(RECORDS, "T", "afm", **{f"np_{name}": texts})
        texts = [f"({{N}} {sign} {{V}})", f"np.{name}({{N}}, {{N}})"]
        yield from of(NUMBER, "N", "afm", **{f"np_{name}": texts})
    for name, sign in (("equal", "=="), ("not_equal", "!=")):
        texts = [f"({{R}} {sign} {{D}})", f"np.{name}({{R}}, {{V}})"]
        yield from of(RECORDS, "T", "afm", **{f"np_{name}": texts})
        yield from of(RECORDS, "T", "f", **{f"np_{name}": [f"(d.k {sign} {{G}})"]})
    for name, sign in LOGICAL.items():
        texts = [f"({{T}} {sign} {{T}})", f"np.{name}({{T}}, {{T}})", f"({{T}} {sign} {{V}})"]
        yield from of(RECORDS, "T", "afm", **{f"np_{name}": texts})
        yield from of(
            RECORDS,
            "T",
            "afm",
            **{f"np_logical_{name[8:]}": [f"np.logical_{name[8:]}({{T}}, {{T}})"]},
        )
    yield from of(RECORDS, "T", "afm", np_invert=["(~{T})"], np_logical_not=["np.logical_not({T})"])
    for name in ("isnan", "isfinite", "isinf"):
        yield from of(RECORDS, "T", "afm", **{f"np_{name}": [f"np.{name}({{R}})"]})
    for name in ("floor", "ceil", "rint", "trunc", "sign", "exp", "log", "log1p", "sqrt", "square"):
        texts = [f"np.{name}({{R}})", f"np.{name}(np.clip({{R}}, {{D}}, {{D}}))"]
        yield from of(RECORDS, "R", "afm", **{f"np_{name}": texts})
    texts = ["(({N} + 1e17) - 1e17)", "(({N} - 2**60) + 2**60)"]
    yield from of(NUMBER, "N", "afm", np_add=texts[:1], np_subtract=texts[1:])
    for name in ("negative", "absolute", "fabs"):
        yield from of(RECORDS, "R", "afm", **{f"np_{name}": [f"np.{name}({{R}})"]})
        yield from of(NUMBER, "N", "afm", **{f"np_{name}": [f"np.{name}({{N}})"]})
    for name in ("exp", "log", "sqrt", "square"):
        texts = [f"np.{name}({{N}})", f"np.{name}(np.clip({{N}}, {{V}}, {{V}}))"]
        texts += [f"np.{name}(1 + abs({{N}}))", f"np.{name}({{N}} / 1e3)"]
        yield from of(NUMBER, "N", "afm", **{f"np_{name}": texts})
    for name in ("minimum", "maximum"):
        texts = [f"np.{name}({{R}}, {{V}})", f"np.{name}({{R}}, {{R}})", f"np.{name}({{T}}, {{T}})"]
        yield from of(RECORDS, "R", "afm", **{f"np_{name}": texts})
    for name in ("minimum", "maximum", "fmin", "fmax"):
        texts = [f"np.{name}({{N}}, {{V}})", f"np.{name}({{N}}, {{N}})"]
        yield from of(NUMBER, "N", "afm", **{f"np_{name}": texts})
    yield from of(
        RECORDS, "R", "afm", np_power=["({R} ** {P})", "np.power({R}, {P})", "({T} ** 2)"]
    )
    yield from of(NUMBER, "N", "afm", np_power=["({N} ** {P})", "np.power({N}, {P})"])
    yield from of(
        RECORDS,
        "R",
        "afm",
        clip=[
            "{R}.clip({D}, {D})",
            "{R}.clip({V}, {V})",
            "{R}.clip({R}, {V})",
            "{R}.clip(max={V})",
        ],
        np_clip=["np.clip({R}, {D}, {D})", "np.clip({R}, {V}, None)", "np.clip({R}, {R}, {R})"],
        fillna=["{R}.fillna({V})", "{R}.fillna({R})"],
        abs=["{R}.abs()", "abs({R})"],
        astype=["{R}.astype({Z})", "{T}.astype(int)", "np.clip({R}, -9, 9).astype(int)"],
        to_numpy=["{R}.to_numpy()"],
        values=["{R}.values"],
        np_where=["np.where({T}, {V}, {V})", "np.where({T}, {R}, {V})", "np.where({T}, {T}, {T})"],
        np_nan_to_num=["np.nan_to_num({R})", "np.nan_to_num({R}, nan={V})"],
    )
    yield from of(
        RECORDS,
        "T",
        "afm",
        isna=["{R}.isna()"],
        isnull=["{R}.isnull()"],
        notna=["{R}.notna()"],
        between=["{R}.between({D}, {D})", "{R}.between({V}, {V}, inclusive='left')"],
        isin=["{R}.isin([{D}, {D}])", "{R}.isin([{N}, {D}])", "{R}.isin(({D}, {V}))"],
    )
    yield from of(
        RECORDS,
        "N",
        "afm",
        item=["{R}[{T}].sum()", "(lambda d: {N:a})({R}[{T}])"],
        dropna=["(lambda d: {N:a})({R}.dropna())", "{R}.dropna().clip({D}, {D}).sum()"],
        shape=["{R}.shape[0]"],
        size=["{R}.size", "{R}[{T}].size"],
        ndim=["{R}.ndim"],
        sum=["{R}.sum()", "{T}.sum()", "{R}.sum(axis=0)", "{R}.sum(dtype=np.float32)"],
        np_sum=["np.sum({R})", "np.sum({T})", "np.sum({R}, initial={V})", "np.sum({R}, where={T})"],
        mean=["{R}.mean()", "{T}.mean()", "({R}.sum() / len({R}))"],
        np_mean=["np.mean({R})", "np.mean({T})"],
        count=["{R}.count()"],
        quantile=["{R}.quantile(0.3)", "{R}.quantile()"],
        np_quantile=["np.quantile({R}, 0.3)", "np.quantile({R}, 1)"],
        median=["{R}.median()"],
        np_median=["np.median({R})"],
        min=["{R}.min()", "{T}.min()"],
        max=["{R}.max()", "{R}.max(initial={V})"],
        np_min=["np.min({R})"],
        np_max=["np.max({R})"],
        np_amin=["np.amin({R})"],
        np_amax=["np.amax({R})"],
        np_size=["np.size({R})"],
        np_count_nonzero=["np.count_nonzero({T})", "np.count_nonzero({R})"],
    )
    yield from of(
        RECORDS,
        "L",
        "afm",
        np_histogram=[
            "np.histogram({R}, bins={E})[0]",
            "np.histogram({R}, 3, (-{A}, {A}))[0]",
            "np.histogram({R}, bins={E}, weights={R})[0]",
        ],
        np_bincount=[
            "np.bincount(np.clip({R}, 0, 3).astype(int), minlength=4)",
            "np.bincount({R}.astype(int), minlength=9)",
            "np.bincount({R}.astype(int), {R}, 9)",
            "np.bincount({T}.astype(int), minlength=2)",
        ],
    )
    yield from of(
        RECORDS, "Y", "af", value_counts=["{R}.value_counts()", "{R}.value_counts(normalize=True)"]
    )
    yield from of(RECORDS, "Y", "f", value_counts=["d.k.value_counts()"])
    yield from of(RECORDS, "N", "afm", tolist=["sum({R}.tolist())", "np.mean({R}.tolist()[:])"])
    yield from of(
        "Python",
        "N",
        "afm",
        len=["len({R})", "len({R}[{T}])", "(len({L}) + {N})", "len([v for v in {R} if v > {D}])"],
        min=["min({N}, {V})", "min({V}, {N}, {N})", "sum(min(v, {V}) for v in {R})", "min({R})"],
        max=["max({N}, {V})", "max({N}, {N})", "sum(max({V}, v) for v in {R})", "max([{N}, {V}])"],
        float=["float({N})", "sum(float(v) for v in {R})"],
        map=["sum(map(lambda v: v * {V}, {R}))", "max(list(map(abs, {R})))"],
        filter=["sum(filter(lambda v: v > {D}, {R}))"],
        int=["int({N})", "sum(int(v) for v in {R})", "int({N} / 3)"],
        sum=[
            "sum({R})",
            "sum({T}, {V})",
            "sum(v * v - {V} for v in {R})",
            "sum([min(max(v, {D}), {D}) for v in {R}])",
            "sum({V} for v in {R} if v > {D})",
            "sum(v for v in {R} if v != {D} if v < {V})",
            "sum(np.clip(v, {D}, {V}) + abs(v) for v in {R})",
            "sum([v / {V} for v in {R}][1:])",
        ],
        list=["sum(list({R}))", "np.mean(list({R}))"],
        tuple=["max(tuple({R}))"],
        zip=["sum(v * w for v, w in zip({R}, {R}))", "sum(p[0] - p[1] for p in zip({R}, {R}))"],
        any=["any({T})", "any(v > {D} for v in {R})"],
        all=["all({T})", "all([v < {D} for v in {R}])"],
        np_array=["np.array({R}).sum()", "np.sum(np.array([{N}, {V}]))"],
        np_asarray=[
            "np.asarray({R}, dtype=float).mean()",
            "np.asarray([v + 1 for v in {R}]).sum()",
        ],
        np_asanyarray=["np.asanyarray({R}).max()"],
    )
    yield from of(
        NUMBER,
        "N",
        "afm",
        np_clip=["np.clip({N}, {V}, {V})", "np.clip({N}, None, {V})"],
        np_floor=["np.floor({N})", "math.floor({N} / 2)"],
        np_ceil=["np.ceil({N})", "math.ceil({N})"],
        np_trunc=["np.trunc({N})", "math.trunc({N} * 0.7)"],
        np_rint=["np.rint({N})", "np.rint({N} / 8)"],
        np_tanh=["np.tanh({N})", "math.tanh({N} / 8)"],
        np_sin=["np.sin({N})", "math.sin({N} * 3)"],
        np_cos=["np.cos({N})", "math.cos({N} / 2)"],
        np_round=["round({N})", "round({N}, {P})", "np.round({N}, 1)", "round({N} / 7, -1)"],
    )
    many = ["[{V}, {V}, {V}]", "np.array([1, 2, 3])", "np.array([200, 1, 0], dtype=np.uint8)"]
    for name, sign in BINARY.items():
        texts = [f"({{L}} {sign} {one})" for one in many]
        yield from of(CELLS, "L", "afm", **{f"np_{name}": texts})
    yield from of(
        CELLS,
        "L",
        "afm",
        values=["{L}.values"],
        to_numpy=["{L}.to_numpy()"],
        astype=["{L}.astype(float)", "{L}.astype(np.float32)"],
        cumsum=["{L}.cumsum()"],
        np_cumsum=["np.cumsum({L})"],
        clip=["{L}.clip({V}, {V})", "{L}.clip(0, {V})"],
        np_clip=["np.clip({L}, {V}, {V})", "np.clip({L}, 0, {V})"],
        np_negative=["(-{L})"],
        np_absolute=["abs({L})", "np.absolute({L})"],
    )
    yield from of(
        CELLS,
        "N",
        "afm",
        item=["{L}[0]", "{L}[-1]", "{L}[True]"],
        sum=["{L}.sum()"],
        np_sum=["np.sum({L})"],
        max=["{L}.max()"],
        min=["({L}.min() * 2)"],
        size=["({L}.size + {N})"],
        shape=["({L}.shape[0] + {N})"],
    )
    yield from of(CELLS, "X", "afm", tolist=["{L}.tolist()", "({L}.tolist() * 2)"])
    yield from of(
        KEYED,
        "L",
        "af",
        reindex=[
            "{Y}.reindex([{G}, {G}], fill_value=0)",
            "{Y}.reindex(index=[{G}, {G}, {G}], fill_value={V})",
            "{Y}.reindex([{G}], fill_value={N})",
        ],
    )
    yield from of(KEYED, "N", "af", get=["{Y}.get({G}, 0)", "{Y}.get({G}, {V})", "{Y}.get(0, 0)"])
    yield from of("the groups", "Y", "f", size=["{B}.groupby('k').size()"])
    for name in ("sum", "count", "mean"):
        texts = [f"{{B}}.groupby('k')['x'].{name}()", f"{{B}}.groupby('g')['y'].{name}()"]
        yield from of("the groups", "Y", "f", **{name: texts})
    yield from of("the groups", "Y", "f", item=["{B}.groupby('k')['b'].sum()"])
    grouped = ["{B}.groupby('x')['y'].count()", "d.assign(x={R}).groupby('k')['x'].sum()"]
    yield from of("the table", "Y", "f", groupby=grouped)
    yield from of(
        "the table",
        "B",
        "f",
        item=["d[{T}]", "d[['x', 'y', 'k', 'g', 'b']]", "d[['x', 'x', 'k']]"],
        assign=["d.assign(x={R})", "d.assign(y=lambda d: {R}, b={T})", "d.assign(x={V})"],
        dropna=["d.dropna()"],
    )
    yield from of(
        "the table",
        "N",
        "f",
        item=["(lambda d: {N:f})({B})", "{B}['x'].sum()"],
        shape=["{B}.shape[0]", "({B}.shape[1] + {N})"],
        columns=["(len({B}.columns) + {N})"],
        index=["len({B}.index)"],
    )
    yield from of("the index", "N", "f", size=["{B}.index.size"])
    yield from of(
        "the array",
        "M",
        "m",
        item=["d[{T}]", "d[:, 0:2]"],
        clip=["{M}.clip({V}, {V})"],
        np_clip=["np.clip({M}, {D}, {D})"],
    )
    yield from of("the array", "R", "m", item=["{M}[:, 0]", "{M}[:, -1]"])
    yield from of("the array", "M", "m", item=[f"({{M}} {s} {{V}})" for s in "+-*/"])
    yield from of("the array", "M", "m", item=["({M} > {V})", "({M} * np.array([1, 3]))", "(-{M})"])
    yield from of("the array", "N", "m", sum=["{M}.sum()"], np_sum=["np.sum({M})"])
    yield from of("the array", "N", "m", shape=["{M}.shape[0]"])
    yield from of(
        "the array",
        "L",
        "m",
        sum=["{M}.sum(axis=0)", "{M}.sum(axis=1)"],
        np_sum=["np.sum({M}, axis=0)"],
        mean=["{M}.mean(axis=0)"],
        np_mean=["np.mean({M}, axis=0)"],
    )


PRODUCTIONS = tuple(_productions())
MAKING = {
    (kind, where): [one for one in PRODUCTIONS if one[1] == kind and where in one[2]]
    for kind in "RTNLYMBX"
    for where in "afm"
}
ATOMS = {
    "a": {"R": ["d"], "T": ["(d > {D})", "(d == {D})"]},
    "f": {
        "R": ["d.x", "d['y']"],
        "T": ["d.b", "(d.x > {D})", "(d['y'] <= {D})"],
        "Y": ["d.groupby('k').size()"],
        "B": ["d"],
    },
    "m": {"R": ["d[:, 0]", "d[:, 1]"], "T": ["(d[:, 0] > {D})"], "M": ["d"]},
}
for atoms in ATOMS.values():
    atoms |= {"N": ["{R}.sum()", "{T}.sum()"], "L": ["np.histogram({R}, bins={E})[0]"]}
    atoms["X"] = ["{L}.tolist()"]
ATOMS["a"]["Y"] = ["{R}.value_counts()"]

COLUMNS: list[Any] = [
    (0, 8),
    (-4, 8),
    (-4.0, 8.0),
    (0.0, 1.0),
    (1, 3),
    (0.0, 1e-300),
    (-1e-320, 1e-310),
    (1e-9, 1e9),
    (-1e200, 1e200),
    (0.0, 1.7e308),
    (1e17, 1e17 + 64),
    (0, 2**40),
    (-(2**53), 2**53),
    (0, 255),
    [0, 1, 2],
    [-1.5, 0.1, 0.3, 1e16],
    [5e-324, 0.0, -2.0],
    [777, 777.5, 3],
    float,
]
KEYS: list[Any] = [
    ["a", "b", "c"],
    [777, 3, 3.5],
    [0, 1, 2],
    ["a", 777, None],
    [2**53, 2**53 - 1, 0.5],
]
VALUES = [
    *("0", "1", "-1", "2", "3", "0.5", "-2.5", "0.1", "7", "100", "-0.0", "1e17", "1e-17"),
    *("1e300", "1e-300", "5e-324", "-1e200", "2**53", "10**17", "10**18", "2**62", "1e9"),
    *("True", "False", "np.True_", "np.int64(3)", "np.float64(0.3)", "np.uint8(200)"),
    *("np.int8(-5)", "np.float32(0.1)", "np.inf", "-np.inf", "np.nan", "len(d)", "(len(d) + 1)"),
]
TYPES = [
    *("int", "int", "float", "float", "np.int64", "'float64'", "bool", "np.uint8", "np.int8"),
    *("np.int32", "np.float32", "np.float16"),
]


@dataclass(frozen=True)
class Query:
    """A random query. around: the operations that it holds; constants: numbers that it names."""

    text: str
    domain: Any
    relation: NeighboringRelation
    size: tuple[int, int | None]
    around: frozenset[str]
    constants: tuple[float, ...]

    def made(self) -> Callable[[Any], Any]:
        """Return the query as a function."""
        # With its source, as a loop is rewritten.
        text, file = f"lambda d: {self.text}", f"<query {id(self)}>"
        linecache.cache[file] = (len(text), None, [text], file)
        return eval(compile(text, file, "eval"), {"np": np, "math": math})  # type: ignore[no-any-return]


class Drawn:
    """Draws one query around an operation."""

    def __init__(self, rng: np.random.Generator, around: str) -> None:
        self.rng, self.around = rng, around
        self.used: set[str] = set()
        # Most queries are tame: around extreme values few have a bound.
        tame = rng.random() < 0.6
        self.values, columns = (VALUES[:10], COLUMNS[:5]) if tame else (VALUES, COLUMNS)
        self.constants: list[float] = []
        wheres = "".join(where for label, _, where, _ in PRODUCTIONS if label == around)
        self.where = str(rng.choice(list(wheres)))
        x, y = (self.pick(columns) for _ in range(2))
        self.ends = [v for c in (x, y) if c is not float for v in c if v is not None]
        self.keys = self.pick(KEYS)
        self.domain: Any = {"a": x, "m": (x, y)}.get(
            self.where, {"x": x, "y": y, "k": self.keys, "g": self.pick(KEYS), "b": bool}
        )

    def pick(self, some: Sequence[Any]) -> Any:
        """Return one of some."""
        return some[int(self.rng.integers(len(some)))]

    def text(self, kind: str, where: str, depth: int) -> str:
        """Return an expression of a kind."""
        fitting = MAKING[kind, where]
        wanted = [one for one in fitting if one[0] == self.around]
        if wanted and self.around not in self.used and (depth < 3 or self.rng.random() < 0.3):
            label, *_, form = self.pick(wanted)
        elif depth > 0 and self.rng.random() < 0.75:
            label, *_, form = self.pick(fitting)
        else:
            label, form = "", self.pick(ATOMS[where][kind])
        self.used.add(label)

        def hole(found: re.Match[str]) -> str:
            name, _, anew = found[1].partition(":")
            return self.hole(name, anew or where, depth - 1)

        return re.sub(r"\{(\w(?::\w)?)\}", hole, form)

    def hole(self, name: str, where: str, depth: int) -> str:
        """Return what stands in a place of a text."""
        if name == "V" and self.rng.random() < 0.06 and depth >= 0:
            return self.text("N", where, 0)
        if name == "D" or (name == "V" and self.rng.random() < 0.3):
            value = self.pick([*self.ends, *self.constants, 0, 1, 2, 3, 0.5, -1])
            value = math.nextafter(value, math.inf) if self.rng.random() < 0.1 else value
            self.constants.append(value)
            return f"({value!r})"
        if name == "V":
            return str(self.pick(self.values))
        if name == "G":
            key = self.pick([one for one in [*self.keys, 0, "b"] if one is not None])
            if isinstance(key, str):
                return str(self.pick([repr(key), f"np.str_({key!r})"]))
            return str(self.pick([repr(key), repr(float(key)), f"np.float64({key!r})"]))
        simple = {
            "P": ["0", "1", "2", "3", "7", "-1", "2.0", "True"],
            "A": ["1", "8", "1e-300", "1e17"],
            "E": ["[0, 2, 4, 9]", "[-1e9, 0.5, 3, 1e9]", "[-9, 0, 1e-310, 1]"],
            "Z": TYPES,
        }
        if name in simple:
            return str(self.pick(simple[name]))
        return self.text(name, where, depth)


def drawn(rng: np.random.Generator, around: str) -> Query:
    """Return a random query that holds an operation."""
    while True:
        draw = Drawn(rng, around)
        kind = draw.pick(["N", "N", "L"])
        if any(label == around and made == "X" for label, made, *_ in PRODUCTIONS):
            kind = "X"
        text = draw.text(kind, draw.where, int(rng.integers(1, 5)))
        if around in draw.used:
            break
    relation = draw.pick([ReplaceOne(), AddOrRemoveOne()])
    size = draw.pick([(1, None), (2, None), (2, 4), (3, 3)])
    made = frozenset(draw.used - {""})
    return Query(text, draw.domain, relation, size, made, tuple(draw.constants))


def traced(query: Query) -> tuple[Traced, RecordColumns]:
    """Return what following a query shows, and its domain."""
    domain = read_domain(query.domain)
    return trace_query(query.made(), domain, query.relation, query.size), domain


def pools(query: Query, domain: RecordColumns) -> list[list[Any]]:
    """Return values to try in each column: its ends, and what the query compares with."""
    found = []
    for column, values in zip(domain.columns, domain.tried(), strict=True):
        pool = list(values)
        if isinstance(column, tuple):
            near = [c for x in query.constants for c in (x, math.nextafter(x, -math.inf))]
            pool += [x for x in near if column[0] <= x <= column[1]]
        elif column is float:
            pool += [*query.constants, -math.inf, 1e308, 5e-324]
        found.append(pool)
    return found


def broken(
    query: Query, found: Traced, domain: RecordColumns, rng: np.random.Generator, pairs: int
) -> str:
    """Return how neighbors break a bound; empty where none that was tried does."""
    made, columns = query.made(), pools(query, domain)
    fewest, smaller = query.size[0], isinstance(query.relation, AddOrRemoveOne)
    most = fewest + 2 if query.size[1] is None else query.size[1]
    raised, answered = "", False
    for _ in range(pairs):
        few = [
            c if rng.random() < 0.3 else [c[int(i)] for i in rng.integers(len(c), size=2)]
            for c in columns
        ]
        sizes = rng.integers(fewest, most + 1)
        data = [tuple(c[int(rng.integers(len(c)))] for c in few) for _ in range(int(sizes))]
        if smaller and len(data) < fewest:
            continue
        other, at = list(data), int(rng.integers(len(data)))
        if smaller:
            del other[at]
        else:
            other[at] = tuple(c[int(rng.integers(len(c)))] for c in columns)
        answers = []
        for each in (data, other):
            try:
                answers.append(_flat(made(domain.made(each))))
            except Exception as error:
                raised = f"{data} raises {error!r}"
        answered = answered or bool(answers)
        if raised and answered:
            return raised
        if len(answers) < 2:
            continue
        one, two = answers
        if len(one) != found.numbers or len(two) != found.numbers:
            return f"{data}, {other}: {len(one)} and {len(two)} numbers for {found.numbers}"
        moved = math.fsum(
            abs(x - y)
            for x, y in zip(one, two, strict=True)
            if not (x == y or (math.isnan(x) and math.isnan(y)))
        )
        bound = float(found.moves or 0)
        size = max((abs(x) for x in one + two if math.isfinite(x)), default=0.0)
        if not moved <= bound * (1 + 1e-8) + size * 2.0**-49:
            return f"{data}, {other}: {one} and {two} move by {moved:g}, bound {bound:g}"
    return ""


def _flat(released: Any) -> list[float]:
    return [float(one) for one in np.asarray(released, dtype=float).ravel()]


def compared(query: Query, rng: np.random.Generator, pairs: int) -> str | None:
    """Return how neighbors break the bound of a query, empty if they do not; ``None``: no bound."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        found, domain = traced(query)
        if found.moves is None or math.isinf(found.moves):
            return None
        return broken(query, found, domain, rng, pairs)
