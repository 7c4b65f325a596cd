"""ldp-hierarchical-mechanism: range queries, through protocols of pure-ldp."""

from atlas_row import Rows
from hierarchical_mechanism_LDP.ldp_protocol import get_client_server

PACKAGE = {
    "name": "ldp-hierarchical-mechanism",
    "version": "0.1.3",
    "what": "range queries under local differential privacy",
    "requirements": ("scipy<1.15",),
}

rows = Rows(PACKAGE, "the value of one person")


def protocol(name):
    """Declare the client of the second level of a binary tree."""
    made = get_client_server(name, 1.0, 4, 2)[0][1]

    def release(data):
        found = made.privatise(data)
        return [int(one) for one in found] if hasattr(found, "__len__") else int(found)

    release.__name__ = name
    rows.row(
        f"`get_client_server`, {name}",
        epsilon=1.0,
        pairs=[[1, 2]],
        claim=":param eps: privacy parameter",
        place="hierarchical_mechanism_LDP/ldp_protocol.py, docstring of get_client_server",
    )(release)


protocol("direct_encoding")
protocol("unary_encoding")
