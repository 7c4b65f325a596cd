"""The paper's running examples as exact models, and the two models that break a remark.

Source: Tschantz, Sen and Datta (2022), sections 1.1, 4 and 6. ``r`` is e^ε, a rational above 1.
The numbers below are e^ε, exact; they are computed again by the tests.

A count of n bits with geometric noise of ratio r needs e^ε = r, by Definition 5:

>>> from provado.proofs.causal.definitions import (
...     definition_9, joint_effect, relative_probability, total_effect
... )
>>> from provado.proofs.causal.definitions import definition_5, definition_7
>>> print(definition_5(noisy_count(3, 2)).factor)
2

Ada and Byron (sections 1.1 and 6.3). Setting one data point has an effect of 2 at most; Ada's
attribute moves her son's too, so that hers is 4. It is all the two have together, although their
single effects, 4 and 2, multiply to 8:

>>> family = ada_and_byron(2)
>>> [str(definition_9(family, [x], ["O"]).factor) for x in ("D1", "R1", "R2")]
['2', '4', '2']
>>> print(joint_effect(family, ["R1", "R2"], ["O"]).factor)
4
>>> print(total_effect(family, ["R1", "R2"], ["O"]))
8

On the same correlated family, seeing Ada's value and setting her data point differ: an associative
reading needs 4 where the intervention needs 2.

>>> from provado.proofs.causal.definitions import bayesian_for
>>> from provado.proofs.causal.model import uniform
>>> related = uniform([(0, 0), (1, 1)])
>>> print(bayesian_for(noisy_count(2, 2), related).factor)
4
>>> print(definition_7(noisy_count(2, 2), related).factor)
2

Randomized response with odds 3 : 1 protects the attribute, by a factor of 3 for each answer that
depends on it, and does not protect the answer, which the output shows:

>>> survey = randomized_response(3)
>>> [str(definition_9(survey, [x], [y]).factor) for x, y in (("R1", "D1"), ("R1", "O"))]
['3', '9']
>>> definition_9(survey, ["D1"], ["O"]).factor
inf
>>> print(relative_probability(survey, None, {"O": (1, 1)}, {"R1": 1}, {"R1": 0}))
9

Effects of a group may hide in each other: the mother's total effect is 1 (none), the joint one 4.

>>> group = masked_group(2)
>>> both = joint_effect(group, ["R1", "R2"], ["O"])
>>> print(definition_9(group, ["R1"], ["O"]).factor, both.factor)
1 4
"""

from fractions import Fraction

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs.algebra.exp_poly import exact

from .finite_mechanism import FiniteMechanism, finite_mechanism
from .model import Equation, Model, Number, assigned, structural_model

BITS = (0, 1)


def noisy_count(n: int, r: Number) -> FiniteMechanism:
    """Return the count of ones among n bits, with geometric noise cut off at 0 and n.

    Its smallest e^ε is r, and from count 0 to count k the probability of the output 0 falls by
    exactly r^k. It stands in for the paper's Laplace noise, whose range is not finite.
    """
    distributions = {count: count_distribution(n, count, r) for count in range(n + 1)}
    return finite_mechanism([BITS] * n, lambda *bits: distributions[sum(bits)])


def count_distribution(n: int, count: int, r: Number) -> dict[int, Fraction]:
    """Return the distribution of ``count`` plus geometric noise of ratio 1/r, cut at 0 and n."""
    a = 1 / _above_one(r)
    ends = {o: a ** abs(o - count) / (1 + a) for o in {0, n}}
    inside = {o: (1 - a) / (1 + a) * a ** abs(o - count) for o in range(1, n)}
    return dict(sorted((ends | inside).items())) if n else {0: Fraction(1)}


def ada_and_byron(r: Number, others: int = 1) -> Model:
    """Return the survey of Ada (R1), her son Byron (R2 := R1) and some others (Figure 1).

    D_i := R_i for all, and O is the noisy count of the data points.
    """
    n = 2 + others
    names = [f"R{i + 1}" for i in range(n)]
    points = [f"D{i + 1}" for i in range(n)]
    equations = {"R2": assigned(["R1"], _same, BITS)}
    equations |= {d: assigned([name], _same, BITS) for d, name in zip(points, names, strict=True)}
    equations["O"] = noisy_count(n, r).equation(*points)
    return structural_model({name: BITS for name in names if name != "R2"}, equations)


def randomized_response(r: Number, people: int = 2) -> Model:
    """Return randomized response: D_i is R_i with odds r : 1, O lists all D_i; R_i := R_1 for all.

    Source: section 6.3, with the effect of the first person's attribute on the others' made whole.
    """
    truth = _above_one(r) / (1 + _above_one(r))
    names = [f"R{i + 1}" for i in range(people)]
    points = [f"D{i + 1}" for i in range(people)]
    equations = {name: assigned(["R1"], _same, BITS) for name in names[1:]}
    for point, name in zip(points, names, strict=True):
        equations[point] = Equation((name,), lambda bit: {bit: truth, 1 - bit: 1 - truth}, BITS)
    equations["O"] = assigned(points, lambda *bits: bits)
    return structural_model({"R1": BITS}, equations)


def masked_group(r: Number) -> Model:
    """Return a mother and son whose joint effect exceeds their total effect.

    R2 := R1, and Pr[O = 1 | R1, R2] is 1/(2r) where they agree, 1/2 at (0, 1) and 1/(2r²) at
    (1, 0): an r-differentially private algorithm of the two. Intervening on R1 alone moves R2
    along and changes nothing; intervening on both does.
    """
    base = 1 / (2 * _above_one(r))
    chance = {
        (0, 0): base,
        (1, 1): base,
        (0, 1): base * _above_one(r),
        (1, 0): base / _above_one(r),
    }
    distribution = Equation(("R1", "R2"), lambda a, b: {1: chance[a, b], 0: 1 - chance[a, b]}, BITS)
    return structural_model({"R1": BITS}, {"R2": assigned(["R1"], _same, BITS), "O": distribution})


def one_time_pad() -> Model:
    """Return X hidden by a fair coin W in Y := X ⊕ W, and Z := Y ⊕ W, which is X.

    X, Y and Z are in sequence and W is an additional parent of Z.
    """
    half = Fraction(1, 2)
    return structural_model(
        {"X": BITS},
        {
            "W": Equation((), lambda: {0: half, 1: half}, BITS),
            "Y": assigned(["X", "W"], lambda x, w: x ^ w, BITS),
            "Z": assigned(["Y", "W"], lambda y, w: y ^ w, BITS),
        },
    )


def side_channel() -> Model:
    """Return Y that is always 0, and Z := W where W := X is an additional parent of Z."""
    return structural_model(
        {"X": BITS},
        {
            "W": assigned(["X"], _same, BITS),
            "Y": assigned([], lambda: 0, BITS),
            "Z": assigned(["Y", "W"], lambda _y, w: w, BITS),
        },
    )


def _same(value: int) -> int:
    return value


def _above_one(r: Number) -> Fraction:
    number = exact(r, "r")
    if number <= 1:
        raise UsageError(f"r is {r!r}: e^ε must be above 1")
    return number
