"""diffpriv: the Laplace mechanism and the exponential mechanism on files of numbers."""

import io
import tempfile
from pathlib import Path

from atlas_row import Rows, counted
from DiffPriv import diff

PACKAGE = {
    "name": "diffpriv",
    "version": "1.0.3",
    "what": "Laplace and exponential mechanism on files",
    "requirements": ("numpy<2",),
}

rows = Rows(PACKAGE, "replace-one: values of one length, of which one differs by 1")
FILE = Path(tempfile.mkdtemp()) / "out.csv"
TEN = [[1.0] * 10, [0.0] + [1.0] * 9]


def mean(values):
    return sum(values) / len(values)


def noisy_values(data):
    diff.lapmech(io.StringIO("\n".join(map(str, data))), str(FILE), 1.0, mean).close()
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [round(float(line.split(",")[0]), 6) for line in lines if line.strip()]


rows.row(
    "`lapmech`, the mean of ten values",
    epsilon=1.0,
    pairs=[TEN],
    claim="Preforms the laplace mechanism.",
    place="DiffPriv/diff.py, docstring of lapmech",
    check=lambda: counted(noisy_values, TEN, lambda out: out[0] > 0.5, 5000),
)(noisy_values)
