"""The text of a first ``provado.toml``, with the claims left to be filled in."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib import resources

from provado.audit.options.declaration import RELATIONS
from provado.reports.targets.argument_parser import is_name
from provado.reports.targets.scan import FoundMechanism
from provado.reports.text.formatting import clean

from .keys import EXPECTED, audit_keys


def template(found: Sequence[FoundMechanism]) -> str:
    """Return the text of a configuration with one audit for each mechanism found."""
    head = resources.files(__package__).joinpath("head.toml")
    parts = [head.read_text(encoding="utf-8")]
    usable = [one for one in found if not (one.needs or one.unsure)]
    for name, one in zip(_names(usable), usable, strict=True):
        parts.append(_audit(name, one))
    if not usable:
        parts.append(
            _commented(_audit("count", FoundMechanism("count", "mine.py:noisy_count", "", 1)))
        )
    parts += [_wrapper(one) for one in found if one.needs and not one.unsure]
    parts += [_unsure(one) for one in found if one.unsure]
    parts.append(_known())
    return "\n".join(parts)


def _names(found: Iterable[FoundMechanism]) -> list[str]:
    """Return a name for each audit: the function's, with its file's where two share one."""
    listed = list(found)
    times = Counter(one.name for one in listed)
    names: list[str] = []
    for one in listed:
        stem = one.target.rpartition(":")[0].removesuffix(".py").replace("/", "-")
        name = one.name if times[one.name] == 1 else f"{stem}-{one.name}"
        name = "".join(c if is_name(f"a{c}") else "-" for c in name)
        names.append(name if is_name(name) and name not in names else f"audit-{len(names) + 1}")
    return names


def _audit(name: str, one: FoundMechanism) -> str:
    key = name if name.isascii() and "." not in name else json.dumps(name, ensure_ascii=False)
    lines = [f"[audits.{key}]", f"target = {_quoted(one.target)}  # line {one.line}: {one.why}"]
    if one.pairs:
        lines += [
            "# pairs = [[[0, 1, 1], [0, 1, 0]]]  # neighbors: its claim it states itself",
            f'# relation = "{RELATIONS[0]}"  # which neighbors these are',
        ]
    if one.stated:
        return "\n".join(lines) + "\n"
    if one.epsilon is not None:
        lines.append(f"epsilon = {one.epsilon!r}  # the default of its parameter; is it the claim?")
    else:
        lines.append("# epsilon = 1.0  # the claimed ε; with δ > 0 also delta = 1e-6")
    relations = " or ".join(map(_quoted, RELATIONS[1:]))
    lines += [
        f'# relation = "{RELATIONS[0]}"  # who is a neighbor; or {relations}',
        '# data = [0, 1, 1]  # a dataset; or a file: data = "people.csv"',
    ]
    return "\n".join(lines) + "\n"


def _wrapper(one: FoundMechanism) -> str:
    needs = ", ".join(one.needs)
    return (
        f"# {clean(one.target)} (line {one.line}) also needs {needs}: to audit it, write a\n"
        "# function of the data alone that calls it, and name that function here.\n"
    )


def _unsure(one: FoundMechanism) -> str:
    return (
        f"# {clean(one.target)} (line {one.line}): no noise was seen in it. If it is a mechanism,\n"
        f"# add an audit of it: [audits.NAME] with target = {_quoted(one.target)}.\n"
    )


def _known() -> str:
    keys = audit_keys()
    wide = max(map(len, keys))
    rows = [f"#   {key:{wide}}  {rules['description']}" for key, rules in keys.items()]
    expected = f'# An audit that must find a violation says expected = "{EXPECTED[0]}".'
    return "\n".join([expected, "# All keys of an audit:", *rows]) + "\n"


def _commented(text: str) -> str:
    return "".join(
        line if line.startswith("#") else f"# {line}" for line in text.splitlines(keepends=True)
    )


def _quoted(text: str) -> str:
    # JSON's escapes are all TOML's, except of characters beyond 16 bits, which stay as they are.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
