"""The graph of many columns in words."""

from typing import Any

from provado.reports.text.formatting import clean, counted, plain, typed, up

from .graph_document import plan_words

_SUMS = {
    "sum": "the sum of all tables",
    "zcdp": "the sum of all tables by zero-concentrated privacy",
}

_OPEN = "− a direct link whose direction these answers leave open"
_ANSWERED = "as it charges only those that answered"

_ASSUMED = (
    "an arrow holds if no common cause of two columns is left out, and if no effects cancel "
    "(faithfulness)"
)


def graph_words(document: dict[str, Any], *, verbose: bool = False) -> list[str]:
    """Return the lines that say what a document of schema ``provado-graph/2`` holds."""
    fields = graph_fields(document)
    width = max(len(name) for name, _ in fields)
    lines = [title(document), *incomplete(document), *_edges(document)]
    lines += [f"  {name.ljust(width)}  {text}" for name, text in fields if text]
    return lines + (_rounds(document) if verbose else [])


def graph_fields(document: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what is printed beside the edges, by name; empty texts where there is nothing."""
    directed = any(edge["kind"] == "directed" for edge in document["edges"])
    return [
        ("warning", _flaw(document)),
        ("assumed", _ASSUMED if directed else ""),
        ("pairs", _pairs(document)),
        (document["counts"], _tests(document)),
        ("privacy", privacy(document)),
        ("budget", _budget(document)),
        ("plan", "" if document["plan"] is None else plan_words(document["plan"])),
        ("noise", _noise(document)),
        ("neighbors", document["relation"] if document["private"] else ""),
        ("known", _known(document)),
    ]


def warnings(document: dict[str, Any]) -> list[str]:
    """Return what a user must not miss of privacy, and of the graph, on one line each."""
    result = []
    if document["flaw"] is not None:
        result.append(_flaw(document))
    if document["guarantee"] and document["domain"] == "file":
        what = _what(document)
        result.append(
            f"the {what} of the columns are taken from the file: the guarantee holds only if they "
            f"were known beforehand; give --{what}"
        )
    return result + [
        f"columns {edge['from']!r} and {edge['to']!r} are all but the same: each accounts for the "
        "links of the other, so that chance decides which of them has a link; leave one out "
        "(--columns)"
        for edge in document["edges"]
        if edge["alike"]
    ]


def title(document: dict[str, Any]) -> str:
    """Return the method, and how many edges it found, in one line."""
    method = document["title"]
    if document["version"] is not None:
        method += f" as {document['version']}" if document["flaw"] else ", repaired"
    if not document["complete"]:
        method += ", incomplete"
    edges, columns = len(document["edges"]), len(document["columns"])
    return (
        f"{method}: {edges} edge{'' if edges == 1 else 's'} between {columns} columns, "
        f"{document['rows']:,} rows"
    )


def _edges(document: dict[str, Any]) -> list[str]:
    lines = []
    for edge in document["edges"]:
        arrow = "→" if edge["kind"] == "directed" else "−"
        lines.append(f"    {clean(edge['from'])} {arrow} {clean(edge['to'])}{stability(edge)}")
    sentence = shares_meant(document)
    lines += [f"  ({sentence})"] if sentence else []
    kinds = legend(document)
    return [*lines, f"  ({'; '.join(kinds)})"] if kinds else lines


def shares_meant(document: dict[str, Any]) -> str:
    """Return what the shares beside edges are of; nothing where there are none."""
    plan = document["plan"]
    if plan is None or not document["edges"]:
        return ""
    redraws, whole = plan["redraws"], plan["tables"][0]["of"] == "all columns"
    drawn = "sampling and noise" if whole else "the noise"
    edge = f"edge: the share of {counted(redraws, 'redraw')} of {drawn} that have this edge; "
    return (
        f"{edge if redraws else ''}direction: of the graphs that the tables leave possible, the "
        "share with this arrow; undirected: the share with no arrow here"
    )


def legend(document: dict[str, Any]) -> list[str]:
    """Return what the kinds of edges mean that are there."""
    kinds, least = {edge["kind"] for edge in document["edges"]}, document["parameters"].get("sure")
    if least is None:
        arrow = "→ as the tests direct it; how sure that is, is not known"
    else:
        arrow = f"→ from cause to effect, with a share of at least {plain(least)}"
    return [arrow] * ("directed" in kinds) + [_OPEN] * ("undirected" in kinds)


def stability(edge: dict[str, Any]) -> str:
    """Return the share of redraws with an edge, and of graphs with its direction, if known."""
    result = edge["stability"]
    if result is None:
        return ""
    share = "" if result["edge"] is None else f"edge {result['edge']:.2f}, "
    kind = "direction" if edge["kind"] == "directed" else "undirected"
    return f"  {share}{kind} {result['direction']:.2f}"


def _flaw(document: dict[str, Any]) -> str:
    flaw = document["flaw"]
    if flaw is None:
        return ""
    see = f"see `provado verify {' '.join(flaw['ledger'])}`"
    return f"THE STATED COST IS NO GUARANTEE: {flaw['words']}; {see}"


def _pairs(document: dict[str, Any]) -> str:
    d = len(document["columns"])
    none = d * (d - 1) // 2 - len(document["edges"])
    if not none:
        return f"each has a direct link, as far as these {document['counts']} show"
    if document["counts"] == "families":
        scored = "" if document["complete"] else ", as far as it was scored"
        return f"{none:,} without a direct link: with one the score was no better{scored}"
    seen = "no dependence seen, in some cases given other columns"
    return f"{none:,} without a direct link: {seen}{_hidden(document)}"


def _hidden(document: dict[str, Any]) -> str:
    """Return which correlations noise may hide: below three times the error that is expected."""
    if document["plan"] is None:
        return ""
    least = 3 * document["plan"]["error"]
    if least < 1:
        return f"; the noise may hide correlations below {plain(least, 2)}"
    return "; THE NOISE HIDES ANY DEPENDENCE: more rows, fewer columns or a larger ε help"


def incomplete(document: dict[str, Any]) -> list[str]:
    """Return why a graph is only the answer so far; nothing for one that is complete."""
    if document["complete"]:
        return []
    work, counts = document["work"], document["counts"]
    if document["stopped"] == "rounds":
        why, more = "the rounds were used up", "more --rounds, or a larger ε"
    elif document["stopped"] == "tables":
        why = "some tests could not be answered by the planned tables"
        more = "more rows, fewer columns or a larger ε help"
    elif document["stopped"] == "seconds":
        why, more = f"--seconds {typed(work['seconds'])} had passed", "more --seconds"
    else:
        asked = "asked" if counts == "tests" else "scored"
        why = f"no more than {work['max_tests']:,} {counts} were to be {asked}"
        more = "more --max-tests"
        if work["seconds"] is not None and document["private"]:
            why += f", as many as were taken to fit into --seconds {typed(work['seconds'])}"
            more += " or --seconds"
    left = (
        "so that edges are left that were not tested to the end"
        if counts == "tests"
        else "so that there may be a better graph"
    )
    return [
        f"  incomplete: the answer so far, after {document['tests']:,} {counts}: {why} before the "
        f"search ended, {left}: {more}"
    ]


def _tests(document: dict[str, Any]) -> str:
    if document["counts"] == "families":
        return f"{document['tests']:,} scored: a column and its parents each"
    asked = f"{document['tests']:,} asked"
    if document["answers"] is None:
        return asked
    gone = sum(answer["deleted"] for answer in document["answers"])
    kept = len(document["answers"]) - gone
    left = f", {kept:,} ended a round and left it" if kept else ""
    return f"{asked}, {gone:,} took an edge away{left}"


def privacy(document: dict[str, Any]) -> str:
    """Return what everything that is released costs, and whether that is guaranteed."""
    if not document["private"]:
        return "NOT PRIVATE: nothing is protected, ε = ∞"
    cost = document["cost"]
    parts = [
        f"{name} ({_up(cost[name]['epsilon'])}, {typed(cost[name]['delta'])})"
        for name in ("basic", "advanced", "tight")
        if cost[name] is not None
    ]
    total = cost["total"]
    # Rounding up must not take it above what was allowed, which holds as well.
    rounded, allowed = _up(total["epsilon"]), document["budget"]["epsilon"]
    if total["epsilon"] <= allowed < float(rounded):
        rounded = typed(allowed)
    claim = f"(ε, δ) = ({rounded}, {typed(total['delta'])})"
    sentence = f"{claim} in total" if document["guarantee"] else f"{claim} STATED, NOT GUARANTEED"
    how = f"by composition: {', '.join(parts)}" if parts else _SUMS[total["by"]]
    return f"{sentence}, for everything released here; {how}"


def _budget(document: dict[str, Any]) -> str:
    budget, cost = document["budget"], document["cost"]
    if budget is None:
        return ""
    both = f"(ε, δ) = ({typed(budget['epsilon'])}, {typed(budget['delta'])})"
    if document["plan"] is not None:
        return f"{both}, as planned"
    rounds = f"{budget['rounds']:,} rounds of ε = {plain(budget['round_epsilon'])} each"
    charged = "however many took place" if document["guarantee"] else _ANSWERED
    how = f"fixed beforehand; {cost['rounds']:,} charged, {charged}"
    return f"{both} shared among {rounds}, {how}"


def _noise(document: dict[str, Any]) -> str:
    noise = document["noise"]
    if noise is None:
        return ""
    text = (
        f"Laplace of scale {plain(noise['scale'])} on each test; independent columns lie "
        f"{plain(noise['distance'])} from the level, in the same unit"
    )
    if noise["scale"] <= noise["distance"]:
        return text
    return f"{text}: much of the graph is chance; more rows, fewer columns or a larger ε help"


def _known(document: dict[str, Any]) -> str:
    if not document["private"]:
        return ""
    what = _what(document)
    if document["domain"] == "given":
        return f"{what} of the columns: given"
    return (
        f"{what} of the columns: taken from the file; the guarantee holds only if they were known "
        "beforehand"
    )


def _rounds(document: dict[str, Any]) -> list[str]:
    lines = []
    for number, answer in enumerate(document["answers"] or (), 1):
        given = ", ".join(map(clean, answer["given"]))
        pair = f"{clean(answer['x'])}, {clean(answer['y'])}" + (f" given {given}" if given else "")
        what = "edge taken away" if answer["deleted"] else "edge left"
        asked = f"{answer['tests']} test{'' if answer['tests'] == 1 else 's'}"
        lines.append(f"  answer {number}, after {asked}: {pair}: {what}")
    return lines


def _what(document: dict[str, Any]) -> str:
    """Return what has to be known of the columns beforehand; ranges of some are, with bins."""
    if "permutations" in document["parameters"]:
        return "ranges"
    bins = "bins" in document["parameters"] and document["domain"] == "given"
    return "levels and ranges" if bins else "levels"


def _up(value: float) -> str:
    text = up(value, 5)
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text
