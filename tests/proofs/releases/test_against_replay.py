"""Random functions that add noise: replays of neighbors contradict no proof of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

from provado.audit.experiments.replay.api import replay
from provado.proofs import prove
from provado.proofs.releases import decide, sources
from tests.proofs.sensitivity.test_changed_arrays import loaded

QUERIES = (
    *("x.sum()", "(x > 0.5).sum()", "np.round(x).sum()", "int(x.sum())", "np.floor(x * 3).sum()"),
    *("x.mean()", "np.sort(x)[-2:].sum()", "x.sum() // 1", "np.clip(x, 0.2, 0.8).sum()", "x[0]"),
    *("np.where(x > 0.5, x, 0).sum()", "sum(v * v for v in x)", "max(x)", "np.dot(x, 2).sum()"),
    *("np.quantile(x, 0.5)", "np.cumsum(x)[-1]", "x.max() - x.min()", "x.astype(int).sum()"),
    *("x.sum() / 2", "np.trunc(x.sum() * 1.5)", "np.around(x, 1).sum()", "np.sqrt(x).sum()"),
)
SCALES = ("0.5", "1", "1.0", "2", "3", "0.25 * 4")
ARRAYS = ("np.asarray(data, dtype=float)", "np.array(data, float)", "np.asarray(data)")
AFTER = ("np.round(y, 1)", "np.clip(y, 0, 5)", "np.asarray(y, dtype=float)", "y * 2 + 1", "y")


class Drawn:
    """Draws the text of a function."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def one(self, several: Sequence[str]) -> str:
        """Return one of several."""
        return str(self.rng.choice(several))

    def query(self) -> str:
        """Return a number of the records."""
        return self.one(QUERIES)

    def noise(self, size: str = "") -> str:
        """Return draws of Laplace noise."""
        return f"rng.laplace(0, {self.one(SCALES)}{size})"

    def added(self) -> list[str]:
        """Return one number with noise."""
        return [f"y = {self.query()} + {self.noise()}"]

    def typed(self) -> list[str]:
        """Return an array of two numbers, of some type, with noise."""
        dtype = self.one(["", ", dtype=int", ", dtype=float", ", int"])
        made = f"y = np.{self.one(['array', 'asarray'])}([{self.query()}, {self.query()}]{dtype})"
        return [made, f"y = y * {self.one(['1', '2', '0.5'])} + {self.noise(', 2')}"]

    def filled(self) -> list[str]:
        """Return an array that is filled, with noise."""
        made = self.one(["np.zeros(2)", "np.ones(2, float)", "np.zeros(2, dtype=int)"])
        filled = [f"y[{k}] = {self.query()}" for k in range(2)]
        return [f"y = {made}", *filled, f"y = y + {self.noise(', 2')}"]

    def counted(self) -> list[str]:
        """Return a histogram with noise."""
        return [f"y = np.histogram(x, bins=2, range=(0, 1))[0] + {self.noise(', 2')}"]

    def decided(self) -> list[str]:
        """Return what two noisy numbers decide."""
        found = self.one(["a + b", "[a, b]", "(a, round(b, 1))", "a if b > 0 else b", "a"])
        noisy = [f"{name} = {self.query()} + {self.noise()}" for name in "ab"]
        return [*noisy, f"y = {found}"]

    def chosen(self) -> list[str]:
        """Return the place of the largest score."""
        noise = self.one(["rng.gumbel(scale=2)", "rng.laplace(scale=2)", "rng.exponential(2.0)"])
        scores = f"[{self.query()}, {self.query()}, 0.5]"
        return [f"y = int(np.argmax([one + {noise} for one in {scores}]))"]

    def text(self) -> str:
        """Return the whole function."""
        kinds = (self.added, self.typed, self.filled, self.counted, self.decided)
        kind = (*kinds, self.chosen)[self.rng.integers(6)]
        lines = [f"x = {self.one(ARRAYS)}", *kind()]
        if kind in kinds[:4]:
            lines.append(f"y = {self.one(AFTER)}")
        return written(*lines)


def written(*lines: str) -> str:
    """Return a function of these lines, as text."""
    body = "".join(f"    {line}\n" for line in (*lines, "return y"))
    return f"import numpy as np\n\n\ndef query(data, rng):\n{body}"


def costs(function: Callable[..., Any], rng: np.random.Generator, pairs: int) -> list[float]:
    """Return what replays of random neighbors add up to, where they are followed."""
    found = []
    for _ in range(pairs):
        values = [0.0, 1.0, 0.25, 0.5, 0.75, 0.49, 0.51, float(rng.random())]
        d = rng.choice(values, rng.integers(2, 6)).tolist()
        d_prime = [float(rng.choice(values)), *d[1:]]
        pair = replay(function, epsilon=1, pair=(d, d_prime), isolate=False).pairs[0]
        found += [] if math.isnan(pair.epsilon) else [pair.epsilon]
    return found


def contradicted(folder: Path, texts: Iterable[str]) -> tuple[list[str], int]:
    """Return the functions that are proved and cost more on a pair, and how many are proved."""
    rng, wrong, proved = np.random.default_rng(11), [], 0
    for k, text in enumerate(texts):
        function = loaded(text, folder / f"released_{k}.py")
        epsilon = 1 + k % 2
        found = prove(function, epsilon=epsilon, domain=(0.0, 1.0), size=(2, None))
        if found.verdict == "proved":
            proved += 1
            most = max(costs(function, rng, 12), default=0)
            wrong += [f"ε = {most} of {epsilon}:\n{text}"] * (most > epsilon + 1e-6)
    return wrong, proved


@pytest.mark.slow
def test_replays_contradict_no_proof(tmp_path: Path) -> None:
    drawn = Drawn(np.random.default_rng(12))
    wrong, proved = contradicted(tmp_path, (drawn.text() for _ in range(200)))
    assert not wrong, wrong[0]
    assert proved > 60


def test_a_type_that_is_passed_over_is_contradicted(tmp_path: Path) -> None:
    side_by_side = sources._side_by_side

    def passed_over(original: Any, value: Any, *args: Any, **options: Any) -> Any:
        if isinstance(value, list):
            return side_by_side(original, value)
        return side_by_side(original, value, *args, **options)

    text = written(
        "x = np.asarray(data)",
        "y = np.array([x.sum() / 2, 0.0], dtype=int) + rng.laplace(0, 0.5, 2)",
    )
    assert contradicted(tmp_path, [text]) == ([], 0)
    with mock.patch.object(sources, "_side_by_side", passed_over):
        # The function itself, run beside what was read, shows it at once.
        assert contradicted(tmp_path, [text]) == ([], 0)
        with mock.patch.object(decide, "misread", return_value=""):
            wrong, _ = contradicted(tmp_path, [text])
    assert wrong
