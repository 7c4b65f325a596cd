"""privateAB: two-sample tests under local differential privacy."""

import torch
from atlas_row import Rows
from privateAB.client import bitflip, disclapu, genrr, lapu

PACKAGE = {"name": "privateab", "version": "0.0.2", "what": "private two-sample tests"}

rows = Rows(PACKAGE, "the value of one person")
SUMMARY = (
    "Two-sample testing (A/B testing) for multinomial and multivariate continuous data under "
    "local differential privacy"
)
torch.set_num_threads(1)


def client(made, key, size, digits=4):
    """Declare a way to release one of ``size`` values."""

    def release(data):
        found = made.privatize(torch.tensor([data]), size, 1.0, "cpu").view(-1)
        return [round(float(one), digits) for one in found]

    release.__name__ = key
    rows.row(
        f"`{type(made).__name__}`, {size} values",
        epsilon=1.0,
        pairs=[[0, 1]],
        claim=SUMMARY,
        place="summary",
    )(release)


client(lapu(), "lapu_of_4", 4)
client(disclapu(), "disclapu_of_4", 4)
client(genrr(), "genrr_of_4", 4)
client(bitflip(), "bitflip_of_4", 4)
