"""The graph of many columns as GraphML, for other programs."""

from typing import Any

from provado.reports.documents.versions import library


def graphml(document: dict[str, Any]) -> str:
    """Return a document of schema ``provado-graph/1`` as GraphML.

    Vertices are the columns' names. An edge a → b is one directed edge; a − b is one in each
    direction; ``undirected`` tells them apart, ``stands`` says how often an edge comes up again,
    ``direction_stands`` how sure its arrow is, or that it has none. What the graph has cost, and
    whether it is complete, stands in its attributes.
    Characters that XML cannot hold are written as escapes. Raises ``UsageError`` where networkx is
    not installed.
    """
    networkx = library("networkx")
    graph = networkx.DiGraph()
    attributes = {
        "schema": document["schema"],
        "method": document["method"],
        "version": document["version"],
        "rows": document["rows"],
        "private": document["private"],
        "guarantee": document["guarantee"],
        "complete": document["complete"],
        "stopped": document["stopped"],
        "tests": document["tests"],
    }
    if document["cost"] is not None:
        total = document["cost"]["total"]
        attributes |= {"epsilon": total["epsilon"], "delta": float(total["delta"])}
    graph.graph.update({key: value for key, value in attributes.items() if value is not None})
    graph.add_nodes_from(_allowed(column["name"]) for column in document["columns"])
    for edge in document["edges"]:
        ends, both = (_allowed(edge["from"]), _allowed(edge["to"])), edge["kind"] == "undirected"
        facts = {"undirected": both} | _stands(edge)
        graph.add_edge(*ends, **facts)
        if both:
            graph.add_edge(*reversed(ends), **facts)
    text = "\n".join(networkx.generate_graphml(graph)) + "\n"
    # XML's truth values are written small; no text among the attributes is True or False.
    return text.replace(">True</data>", ">true</data>").replace(">False</data>", ">false</data>")


def _stands(edge: dict[str, Any]) -> dict[str, float]:
    found = edge["stands"]
    if found is None:
        return {}
    shares = {"stands": found["edge"], "direction_stands": found["direction"]}
    return {name: share for name, share in shares.items() if share is not None}


def _allowed(text: str) -> str:
    """Return text with the characters that XML 1.0 has no place for written as escapes."""
    return "".join(
        c
        if c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c >= "\U00010000"
        else c.encode("unicode_escape").decode()
        for c in text
    )
