"""The rows of one package, declared and listed; runs in the package's own interpreter.

Only the standard library is used: Python 3.8 or later, without Provado.
"""

import hashlib
import importlib
import importlib.metadata
import inspect
import math
import re


class Rows:
    """The rows of a package. relation: what neighbors are in it, where a row says nothing else."""

    def __init__(self, package, relation=""):
        self._package, self._relation = package["name"], relation
        self._listed, self._checks, self._exact = [], {}, {}

    def row(
        self,
        name,
        *,
        epsilon,
        pairs,
        claim,
        place,
        delta=0.0,
        relation=None,
        check=None,
        exact=None,
    ):
        """Declare the decorated function as a row: it releases one output, or ``size`` of them.

        epsilon, delta: what the package promises here; numbers, or functions without arguments.
        pairs: neighboring datasets, plain data. claim: the promise in the package's own words.
        place: where these stand. check: a function without arguments that returns a lower bound
        on the true ε, computed in another way, and a sentence on how; for rows with a violation.
        exact: the same for the ε that follows from the parameters of the noise, in exact
        arithmetic; it is asked whatever the verdict.
        """

        def declare(function):
            key = function.__name__
            if hasattr(self, key):
                raise ValueError(f"two rows are called {key}")
            setattr(self, key, function)
            stated = {"epsilon": epsilon, "delta": delta, "pairs": pairs}
            told = {"claim": claim, "place": place, "relation": relation or self._relation}
            self._listed.append({"key": key, "name": name, **stated, **told})
            if check is not None:
                self._checks[key] = check
            if exact is not None:
                self._exact[key] = exact
            return function

        return declare

    def noise(
        self, name, release, *, claim, place, epsilon=1.0, delta=0.0, pair=(0.0, 1.0), exact=None
    ):
        """Declare ``release``, which adds noise to a number, on two numbers at distance 1.

        A violation is confirmed by the low-order bits of floating-point outputs.
        """
        pair = list(pair)
        self.row(
            name,
            epsilon=epsilon,
            delta=delta,
            pairs=[pair],
            relation="two numbers whose distance is the stated sensitivity",
            claim=claim,
            place=place,
            check=by_low_bits(release, pair, delta=delta) if isinstance(pair[0], float) else None,
            exact=exact,
        )(release)

    def accountant(self, name, *, epsilon, mechanism, claim, place, delta=0.0):
        """Declare what an accountant says: ``epsilon()`` for the composition ``mechanism``.

        mechanism: the keywords of ``enclosures.enclosure``.
        """
        told = {"claim": claim, "place": place, "relation": "", "mechanism": mechanism}
        key = f"accountant_{len(self._listed)}"
        self._listed.append(
            {"key": key, "name": name, "epsilon": epsilon, "delta": delta, "pairs": [], **told}
        )

    def listing(self, _):
        """Return all rows as plain data; a claim that raises is an ``error``.

        A claim whose words (but for ``[…]``) are not in a file of the package raises: it must be a
        quotation.
        """
        text = _text(self._package)
        parts = [words for one in self._listed for words in one["claim"].split("[…]")]
        wrong = sorted({words for words in parts if _spaced(words) not in text})
        if wrong:
            raise ValueError(f"not in {self._package}: {wrong}")
        return [self._plain(one) for one in self._listed]

    def _plain(self, row):
        key = row["key"]
        found = {**row, "check": key in self._checks, "exact": key in self._exact, "error": ""}
        try:
            for name in ("epsilon", "delta"):
                if callable(row[name]):
                    found[name] = float(row[name]())
        except Exception as error:
            found.update(epsilon=math.nan, error=f"the claim: {type(error).__name__}: {error}")
        source = ""
        if hasattr(self, row["key"]):
            source = inspect.getsource(getattr(self, row["key"]))
        texts = ("claim", "place", "name", "relation", "check", "exact")
        asked = repr(sorted((k, v) for k, v in found.items() if k not in texts))
        found["digest"] = hashlib.sha256((asked + source).encode()).hexdigest()[:16]
        return found

    def checked(self, key):
        """Return ``[ε, how]`` of the independent check of a row."""
        epsilon, how = self._checks[key]()
        return [float(epsilon), how]

    def computed(self, key):
        """Return ``[ε, how]`` of a row by the parameters of its noise."""
        epsilon, how = self._exact[key]()
        return [float(epsilon), how]


def _text(package):
    """Return the text of all files of a distribution, and what it says of itself."""
    found = importlib.metadata.distribution(package)
    texts = [found.read_text("METADATA") or ""]
    for file in found.files or ():
        if file.suffix in (".py", ".md", ".rst", ".pyi"):
            texts.append(file.locate().read_text(encoding="utf-8", errors="replace"))
    return _spaced("\n".join(texts))


def _spaced(text):
    """Return a text with single spaces, and without the marks of comments and strings."""
    return " ".join(re.sub(r"[\s\"'#]+", " ", text).split())


def counted(release, pair, event, runs=100_000, delta=0.0):
    """Return a lower bound on ε from the frequency of an event, and a sentence.

    It calls the mechanism on both datasets and counts the event, which should be likelier on the
    first. By Chernoff's inequality the bound fails with probability ``FAILURE`` at most.
    """
    hits = [sum(bool(event(release(data))) for _ in range(runs)) for data in pair]
    first = _end(hits[0] / runs, 0.0, runs) - delta
    second = _end(hits[1] / runs, 1.0, runs)
    epsilon = math.log(first / second) if first > second else 0.0
    words = f"in {runs:,} runs each the event occurred {hits[0]:,} and {hits[1]:,} times"
    return epsilon, words


def learned(release, pair, cell, words, runs=100_000, delta=0.0):
    """Return the same for the outputs whose cell was seen on the first dataset more often.

    cell: which part of an output is compared, in ``words``. As many other runs choose the cells.
    """
    seen = [{}, {}]
    for counts, data in zip(seen, pair):  # noqa: B905, Python 3.8
        for _ in range(runs):
            key = cell(release(data))
            counts[key] = counts.get(key, 0) + 1
    chosen = {k for k, n in seen[0].items() if n >= 5 and n > 4 * seen[1].get(k, 0)}
    epsilon, told = counted(release, pair, lambda one: cell(one) in chosen, runs, delta)
    return epsilon, f"{told}; it is made of values of {words}, chosen by as many other runs"


def least_epsilon(first, second, delta=0.0):
    """Return the least ε that two tables of probabilities allow at ``delta``, either way."""
    keys = set(first) | set(second)
    pairs = [(first.get(key, 0.0), second.get(key, 0.0)) for key in keys]

    def above(epsilon):
        factor = math.exp(epsilon)
        return max(
            math.fsum(max(p - factor * q, 0.0) for p, q in pairs),
            math.fsum(max(q - factor * p, 0.0) for p, q in pairs),
        )

    if delta == 0.0:
        if any((p > 0) != (q > 0) for p, q in pairs):
            return math.inf
        return max(abs(math.log(p / q)) for p, q in pairs if p > 0)
    return _least(above, delta)


def discrete_laplace(value, scale, low=-500, high=500):
    """Return the probabilities of a whole number with such noise, clamped."""
    found, base = {}, math.tanh(0.5 / scale)
    for step in range(-600, 601):
        output = max(low, min(high, value + step))
        found[output] = found.get(output, 0.0) + base * math.exp(-abs(step) / scale)
    return found


def response(value, values, kept):
    """Return the probabilities of answers: the value with ``kept``, else any other."""
    return {one: kept if one == value else (1 - kept) / (len(values) - 1) for one in values}


def bits(kept, set_to=None):
    """Return ``exact`` for one-hot vectors: a bit 1 is kept, a bit 0 set, with these chances."""
    other = 1 - kept if set_to is None else set_to
    lost = math.log(kept * (1 - other) / (other * (1 - kept)))
    return lambda: (lost, f"two bits; 1 stays with {kept:.4g}, 0 is set with {other:.4g}")


def by_scales(release, pair, draw="laplace", delta=0.0):
    """Return a function for ``exact``: ``numpy.random``'s noise is left out, its scales are kept.

    Each number of the output has one noise, which is added to it.
    """

    def exact():
        numpy = importlib.import_module("numpy")
        original, scales, runs = getattr(numpy.random, draw), [], []

        def silent(loc=0.0, scale=1.0, size=None):
            shape = numpy.broadcast(loc, scale).shape if size is None else size
            scales.extend(numpy.broadcast_to(scale, shape).ravel().tolist())
            center = numpy.broadcast_to(numpy.asarray(loc, dtype=float), shape).copy()
            return center if center.shape else float(center)

        setattr(numpy.random, draw, silent)
        try:
            for data in pair:
                scales.clear()
                center = numpy.asarray(release(data), dtype=float).ravel().tolist()
                runs.append((center, list(scales)))
        finally:
            setattr(numpy.random, draw, original)
        (first, used), (second, again) = runs
        if used != again or not len(used) == len(first) == len(second):
            raise ValueError(f"{len(used)} and {len(again)} noises for {len(first)} numbers")
        moved = [abs(a - b) / scale for a, b, scale in zip(first, second, used)]  # noqa: B905
        told = f"{draw} noise of scale {', '.join(sorted({f'{one:.4g}' for one in used}))}"
        if draw == "laplace":
            return round(math.fsum(moved), 9), told
        mean = math.sqrt(math.fsum(one**2 for one in moved))
        return _least(lambda epsilon: _gaussian(mean, epsilon), delta), told

    return exact


def _gaussian(mean, epsilon):
    """Return δ(ε) of Gaussian noise of standard deviation 1 on numbers at this distance."""
    ends = (mean / 2 - epsilon / mean, -mean / 2 - epsilon / mean)
    above, below = (math.erfc(-one / math.sqrt(2)) / 2 for one in ends)
    return above - math.exp(epsilon) * below


def _least(curve, delta):
    """Return the least ε at which a falling curve is at most ``delta``."""
    low, high = 0.0, 50.0
    if curve(high) > delta:
        return math.inf
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if curve(middle) > delta else (low, middle)
    return high


def low_bits(number):
    """Return sign, exponent and lowest set bit of a double."""
    mantissa, exponent = math.frexp(float(number))
    whole = int(mantissa * 2**53)
    return number < 0, exponent, (whole & -whole).bit_length()


def by_low_bits(release, pair, runs=20_000, delta=0.0):
    """Return a function for ``check`` that looks at the low-order bits of the output."""
    words = "sign, exponent and lowest set bit"

    def check():
        sides = (pair, pair[::-1])
        return max(learned(release, one, low_bits, words, runs, delta) for one in sides)

    return check


FAILURE = 1e-6


def _end(share, towards, runs):
    """Return the end of the interval for a probability of which ``share`` was observed."""

    def divergence(p):
        parts = ((share, p), (1 - share, 1 - p))
        return sum(a * math.log(a / b) if b else math.inf for a, b in parts if a)

    inside, outside = share, towards
    for _ in range(60):
        middle = (inside + outside) / 2
        if divergence(middle) * runs <= math.log(2 / FAILURE):
            inside = middle
        else:
            outside = middle
    return outside
