import xml.etree.ElementTree as ElementTree
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provado.mechanisms import UsageError
from provado.proofs.causal.examples import ada_and_byron, one_time_pad
from provado.proofs.causal.model import (
    Equation,
    assigned,
    distribution,
    point_mass,
    probability,
    structural_model,
    tabulated,
    uniform,
)
from tests.proofs.causal.causal_strategies import models, worlds
from tests.proofs.causal.distant_products import independent
from tests.proofs.causal.model_drawing import svg
from tests.proofs.causal.path_effects import feed

quick = settings(max_examples=40)


def plain(model, people, names, do, given_):
    found = {}
    for world, weight in worlds(model, people, do):
        if all(world[name] == value for name, value in given_.items()):
            key = tuple(world[name] for name in names)
            found[key] = found.get(key, Fraction(0)) + weight
    total = sum(found.values(), Fraction(0))
    return {key: weight / total for key, weight in found.items()} if total else None


@quick
@given(models(), st.data())
def test_probabilities_are_those_of_plain_enumeration(pair, data):
    model, people = pair
    names = data.draw(st.lists(st.sampled_from(sorted(model.ranges)), min_size=1, unique=True))
    conditioned = data.draw(st.sampled_from(["U", "X", "Z", None]))
    set_ = data.draw(st.sampled_from(["Y", "V", None]))
    given_ = {conditioned: 0} if conditioned else {}
    do = {set_: model.ranges[set_][-1]} if set_ else {}
    expected = plain(model, people, names, do, given_)
    if expected is None:
        with pytest.raises(UsageError, match="probability 0"):
            distribution(model, people, names, do=do, given=given_)
    else:
        assert distribution(model, people, names, do=do, given=given_) == expected


@quick
@given(models())
def test_an_intervention_leaves_what_is_not_downstream_alone(pair):
    model, people = pair
    for value in model.ranges["Z"]:
        before = distribution(model, people, ["U", "X", "Y"])
        assert distribution(model, people, ["U", "X", "Y"], do={"Z": value}) == before


def test_seeing_is_not_doing():
    model = ada_and_byron(2)
    people = uniform([(0, 0), (1, 1)], ["R1", "R3"])
    assert probability(model, people, {"R1": 1}, given={"D2": 1}) == 1
    assert probability(model, people, {"R1": 1}, do={"D2": 1}) == Fraction(1, 2)
    # Setting the attribute itself tells about the son's data point.
    assert probability(model, people, {"D2": 1}, do={"R1": 1}) == 1


def test_tables_and_equations_make_the_same_model():
    law = {(0,): {0: Fraction(1, 3), 1: Fraction(2, 3)}, (1,): {1: 1}}
    one = structural_model({"X": (0, 1)}, {"Y": tabulated(["X"], law)})
    two = structural_model({"X": (0, 1)}, {"Y": Equation(("X",), lambda x: law[(x,)])})
    assert one == two
    assert one.ranges["Y"] == (0, 1)


def test_equations_may_come_in_any_order():
    late = structural_model(
        {"X": (0, 1)}, {"Z": assigned(["Y"], lambda y: y), "Y": assigned(["X"], lambda x: 1 - x)}
    )
    assert distribution(late, point_mass((1,), ["X"]), ["Z"]) == {(0,): 1}


def test_feed_changes_one_arrow_only():
    model = ada_and_byron(2)
    people = point_mass((0, 0), ["R1", "R3"])
    fed = feed(model, {("R1", "D1"): 1})
    assert distribution(fed, people, ["D1", "R2"]) == {(1, 0): 1}
    with pytest.raises(UsageError, match="no parent"):
        feed(model, {("R1", "D2"): 1})
    with pytest.raises(UsageError, match="range"):
        feed(model, {("R1", "D1"): 2})


@pytest.mark.parametrize(
    ("background", "equations", "message"),
    [
        ({"X": (0,)}, {"X": assigned([], lambda: 0)}, "background"),
        ({}, {"X": assigned(["Y"], abs), "Y": assigned(["X"], abs)}, "cycle"),
        ({}, {"X": assigned(["Q"], abs)}, "unknown"),
        ({"X": ()}, {}, "empty"),
        ({}, {"X": Equation((), lambda: {0: 0.5, 1: 0.5})}, "floats"),
        ({}, {"X": Equation((), lambda: {0: Fraction(1, 2)})}, "add up to 1/2"),
        ({}, {"X": Equation((), lambda: {0: Fraction(3, 2), 1: Fraction(-1, 2)})}, "below 0"),
        ({}, {"X": Equation((), lambda: {2: 1}, (0, 1))}, "outside"),
        ({"X": (0, 1)}, {"Y": tabulated(["X"], {(0,): {0: 1}})}, "no row"),
    ],
)
def test_wrong_models_are_refused(background, equations, message):
    with pytest.raises(UsageError, match=message):
        structural_model(background, equations)


def test_wrong_questions_are_refused():
    model = one_time_pad()
    with pytest.raises(UsageError, match="range of X"):
        model.do({"X": 2})
    with pytest.raises(UsageError, match="no variable"):
        distribution(model, None, ["Q"])
    with pytest.raises(UsageError, match="is needed"):
        distribution(model, None, ["Y"])
    with pytest.raises(UsageError, match="no variable"):
        distribution(model, point_mass((0,), ["U"]), ["Y"])
    with pytest.raises(UsageError, match="outside the range"):
        distribution(model, point_mass((7,), ["X"]), ["Y"])


def test_what_cannot_matter_needs_no_population():
    model = one_time_pad()
    assert distribution(model, None, ["Z"], do={"X": 1}) == {(1,): 1}


@quick
@given(models())
def test_the_drawing_shows_every_variable_and_arrow(pair):
    model, _ = pair
    root = ElementTree.fromstring(svg(model, dict.fromkeys(model.edges(), "ε")))
    space = "{http://www.w3.org/2000/svg}"
    texts = [text.text for text in root.iter(f"{space}text")]
    assert set(model.ranges) <= set(texts)
    assert len(list(root.iter(f"{space}line"))) == len(model.edges()) == texts.count("ε")
    dashed = [c for c in root.iter(f"{space}circle") if c.get("stroke-dasharray")]
    assert len(dashed) == len(model.background)


def test_drawing_escapes_names():
    drawn = svg(structural_model({"<R>&": (0, 1)}, {"O": assigned(["<R>&"], lambda r: r)}))
    assert "&lt;R&gt;&amp;" in drawn
    ElementTree.fromstring(drawn)


def test_independent_population_has_independent_people():
    people = independent(
        [{0: Fraction(1, 3), 1: Fraction(2, 3)}, {0: Fraction(1, 4), 1: Fraction(3, 4)}]
    )
    assert people.weights[1, 0] == Fraction(1, 6)
    assert people.given({"R1": 1}).marginal(["R2"]) == people.marginal(["R2"])
