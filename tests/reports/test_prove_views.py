"""What `provado prove` leaves beside words: a page, SARIF, and what a configuration asks for."""

import json
import re
import sys
from pathlib import Path

import jsonschema
import pytest

from provado.reports.cli.main import main
from provado.reports.documents import schema
from tests.reports.test_html_page import elements

SARIF = json.loads(
    (Path(__file__).parent / "schemas/sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8")
)

MINE = """
import math

from provado.mechanisms.programs import bernoulli, gaussian, laplace, output


def mean(q, epsilon=1.0):
    output(q[0] + laplace(1 / epsilon))


def careless(q, epsilon=1.0):
    total = q[0] + laplace(1 / (2 * epsilon))
    output(total)  # </li><script>


def response(x: int, epsilon):
    if bernoulli(math.exp(epsilon) / (1 + math.exp(epsilon))):
        output(x)
    else:
        output(1 - x)


def endless(q, epsilon):
    level = laplace(2 / epsilon)
    for x in q:
        noisy = x + laplace(4 / epsilon)
        if noisy >= level:
            output("above")
            break
        output("below")
        level = noisy


def above(q, sigma):
    level = gaussian(sigma)
    for x in q:
        if x + gaussian(2 * sigma) >= level:
            output(True)
            break
        output(False)


def square(q, epsilon):
    output(q[0] * q[0] + laplace(1 / epsilon))
"""

STREAMS = """
[prove.leaks]
target = "mine_to_view.py:endless"
epsilon = "8*epsilon"
steps = 400000
expected = "refuted"
"""

TOML = """\
out = "left"

[prove.first]
target = "mine_to_view.py:mean"
epsilon = 1

[prove.broken]
target = "mine_to_view.py:careless"
epsilon = "epsilon"
expected = "refuted"

[prove.coin]
target = "mine_to_view.py:response"
domain = "0,1"
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    (tmp_path / "mine_to_view.py").write_text(MINE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "mine_to_view", raising=False)
    yield tmp_path
    sys.modules.pop("mine_to_view", None)
    # Numbers are written as people write them, whatever the evidence is.
    for one in (
        path for path in tmp_path.rglob("*") if path.suffix in (".html", ".json", ".sarif")
    ):
        assert "Fraction(" not in one.read_text("utf-8"), one


def run(capsys, *words):
    status = main(["prove", *words])
    out, err = capsys.readouterr()
    assert "Fraction(" not in out + err
    return status, out, err


def target(name):
    return f"mine_to_view.py:{name}"


def text_of(page):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", page))


def test_the_page_shows_the_program_with_the_alignment_at_its_line(mine, capsys):
    assert run(capsys, target("mean"), "--out", "left")[0] == 0
    page = (mine / "left/prove.html").read_text("utf-8")
    seen = elements(page)
    assert ("ol", {"class": "listing", "start": "7", "aria-label": "Source of mean"}) in seen
    marked = re.findall(r'<li class="marked" value="(\d+)">(.*?)</li>', page)
    assert [number for number, _ in marked] == ["8"]
    assert "-(change of answer at 0)" in marked[0][1]
    text = text_of(page)
    assert "real numbers instead of floating point" in text
    assert re.search(r"The kernel checked \d+ conditions \(\d+ certificates\)", text)
    # Conditions are folded, the card is not.
    details = [attributes for name, attributes in seen if name == "details"]
    assert "open" in details[0]
    assert not any("open" in attributes for attributes in details[1:])
    document = json.loads((mine / "left/prove.json").read_text("utf-8"))
    jsonschema.validate(document, schema.json_schema(schema.PROVE))


def test_the_page_shows_a_pump_in_two_columns(mine, capsys):
    words = ("--out", "left", "--smt", "pump.smt2", "--steps", "400000")
    status, out, _ = run(capsys, target("endless"), *words)
    assert status == 1
    script = (mine / "pump.smt2").read_text("utf-8")
    assert script.count("(check-sat)") == sum(map(script.count, ("on q, ", "on q′")))
    assert "; not asked: that p exceeds p′, which are sums of exponentials\n(exit)" in script
    assert "endless: refuted, for every multiple of epsilon (ε = epsilon)" in out
    page = (mine / "left/prove.html").read_text("utf-8")
    row = r'<th scope="row">period (\d)</th><td data-h="q">(\S+)</td><td data-h="q′">(\S+)</td>'
    rows = re.findall(row, page)
    assert "by two neighboring datasets and exact probabilities, for every multiple of eps" in page
    assert len(re.findall(r'<tbody>\s*<tr><th scope="row">period', page)) == 3
    assert rows[:3] == [("1", "0", "-1"), ("1", "0", "1"), ("2", "-32", "-33")]
    document = json.loads((mine / "left/prove.json").read_text("utf-8"))
    jsonschema.validate(document, schema.json_schema(schema.PROVE))
    pump = document["pump"]
    assert (pump["period"], pump["drift"]) == ([["0", "0"], ["-1", "1"]], "-32")
    assert (pump["multiple_of"], pump["repeats"]) == ("epsilon", "('below', 'below')")
    assert pump["windows"]
    assert pump["conditions"][0]["findings"]


def test_a_configuration_expects_a_pump(mine, capsys):
    (mine / "provado.toml").write_text(STREAMS, encoding="utf-8")
    status, out, err = run(capsys)
    assert (status, err) == (0, "")
    assert "leaks: endless: refuted, for every multiple of epsilon (ε = 8*epsilon)" in out
    assert "it exceeds 8." in out
    assert out.endswith("Expected: refuted.\n")


def test_a_refutation_is_audited_on_its_answers(mine, capsys):
    words = (target("careless"), target("mean"), "--audit", "20000", "--out", "left")
    status, out, err = run(capsys, *words)
    assert (status, err) == (1, "")
    assert re.search(r"Audit of these answers: violation, claimed ε = 4, certified ε ≥ [4-9]", out)
    assert out.count("Audit of") == 1
    document = json.loads((mine / "left/prove.json").read_text("utf-8"))
    jsonschema.validate(document, schema.json_schema(schema.SEVERAL))
    careless, mean = (one["found"] for one in document["entries"])
    jsonschema.validate(careless, schema.json_schema(schema.PROVE))
    found = careless["audit"]
    assert (found["verdict"], found["claimed"], found["confidence"]) == ("violation", 4, 0.95)
    assert found["epsilon_lower"] > 4
    assert found["trials"][0] > 0
    assert "audit" not in mean
    assert re.search(
        r"<dt>Audit</dt><dd>violation, claimed", (mine / "left/prove.html").read_text("utf-8")
    )


def test_the_page_shows_the_counterexample_at_its_line(mine, capsys):
    assert run(capsys, target("careless"), "--out", "left")[0] == 1
    page = (mine / "left/prove.html").read_text("utf-8")
    elements(page)
    marked = re.findall(r'<li class="marked bad" value="(\d+)">(.*?)</li>', page)
    assert [number for number, _ in marked] == ["13"]
    assert "may reveal part 1 of S" in marked[0][1]
    text = text_of(page)
    assert "The counterexample" in text
    assert "Assumption" not in text
    # What stands in the program is text.
    assert "# &lt;/li&gt;&lt;script&gt;" in page


def test_the_page_gives_the_exact_epsilon_as_a_formula(mine, capsys):
    words = (target("response"), "--domain", "0,1", "--epsilon", "epsilon/3")
    assert run(capsys, *words, "--out", "left")[0] == 1
    page = (mine / "left/prove.html").read_text("utf-8")
    elements(page)
    assert re.search(r"<dt>Exact ε</dt><dd>.*epsilon", page)


def test_the_page_gives_the_exact_delta_with_its_assumptions(mine, capsys):
    words = (target("above"), "--pair", "0,0", "1,1", "--set", "sigma=1", "--epsilon", "1/4")
    assert run(capsys, *words, "--delta", "1/100", "--out", "left")[0] == 1
    page = (mine / "left/prove.html").read_text("utf-8")
    elements(page)
    text = text_of(page)
    assert re.search(r"<dt>Exact δ</dt><dd>between 0\.\d+ and 0\.\d+</dd>", page)
    assert "claimed ε = 1/4, δ = 1/100" in text
    assert "enclosures of integrals by FLINT, which the kernel does not check" in text
    assert re.findall(r'<li class="marked bad" value="(\d+)">', page)
    assert "provado prove mine_to_view.py:above --epsilon 1/4 --delta 1/100 --pair 0,0 1,1" in text


def test_a_configuration_has_pairs(mine, capsys):
    text = """
    [prove.above]
    target = "mine_to_view.py:above"
    epsilon = 1
    delta = "1/100"
    pairs = [[[0, 0], [1, 0.5]], ["0,0", "1/3,1"]]
    set = { sigma = 4 }
    """
    (mine / "provado.toml").write_text(text, encoding="utf-8")
    status, out, err = run(capsys)
    assert (status, err) == (0, "")
    assert out.startswith("above: proved (ε = 1, δ = 1/100)\n")
    assert "Pairs: 2; outputs: 3;" in out
    (mine / "provado.toml").write_text(text.replace("1/3,1", "1/3,x"), encoding="utf-8")
    assert "line 6: prove.above.pairs: " in run(capsys)[2]


def test_an_undecided_claim_gets_no_reassuring_word(mine, capsys):
    assert run(capsys, target("square"), "--out", "left", "--sarif", "found.sarif")[0] == 3
    text = text_of((mine / "left/prove.html").read_text("utf-8"))
    assert "neither proved nor refuted, which says nothing about it" in text
    assert "is proved" not in text.partition("How to read this")[0].partition("Summary")[2]
    (result,) = log_of(mine)["results"]
    assert (result["ruleId"], result["level"]) == ("prove-undecided", "note")


def log_of(folder):
    log = json.loads((folder / "found.sarif").read_text(encoding="utf-8"))
    jsonschema.validate(log, SARIF)
    return log["runs"][0]


def test_a_refuted_claim_is_a_result_on_the_line_of_its_function(mine, capsys):
    assert run(capsys, target("careless"), "--sarif", "found.sarif")[0] == 1
    made = log_of(mine)
    (result,) = made["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "mine_to_view.py"
    assert place["region"]["startLine"] == 11
    assert result["level"] == "error"
    assert made["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    assert "Reproduce: provado prove mine_to_view.py:careless" in result["message"]["text"]
    assert run(capsys, target("mean"), "--sarif", "found.sarif")[0] == 0
    assert log_of(mine)["results"] == []


def test_a_configuration_asks_for_several(mine, capsys):
    (mine / "provado.toml").write_text(TOML, encoding="utf-8")
    status, out, err = run(capsys, "--sarif", "found.sarif")
    assert (status, err) == (0, "")
    assert out.startswith("first: mean: proved (ε = 1)\n")
    assert "\n\nbroken: careless: refuted (ε = epsilon)\n" in out
    assert "  Expected: refuted." in out
    assert "The exact ε is epsilon," in out
    assert log_of(mine)["results"] == []
    document = json.loads((mine / "left/prove.json").read_text("utf-8"))
    jsonschema.validate(document, schema.json_schema(schema.SEVERAL))
    assert [one["name"] for one in document["entries"]] == ["first", "broken", "coin"]
    for one in document["entries"]:
        jsonschema.validate(one["found"], schema.json_schema(schema.PROVE))
    assert [one["found"]["exit_status"] for one in document["entries"]] == [0, 0, 0]
    page = (mine / "left/prove.html").read_text("utf-8")
    idents = [a["id"] for _, a in elements(page) if "id" in a]
    assert len(idents) == len(set(idents))
    assert "Claims of 3 programs" in page


def test_what_is_typed_wins(mine, capsys):
    (mine / "provado.toml").write_text(TOML, encoding="utf-8")
    status, out, _ = run(capsys, "first", "--epsilon", "0.5", "--json")
    assert status == 1
    (entry,) = json.loads(out)["entries"]
    assert (entry["name"], entry["found"]["claim"]) == ("first", "0.5")
    # What was expected to be refuted, and is proved, is a surprise.
    status, _, _ = run(capsys, "broken", "--epsilon", "2*epsilon", "--sarif", "found.sarif")
    assert status == 1
    assert [one["ruleId"] for one in log_of(mine)["results"]] == ["prove-proved"]


WRONG = {
    'first]\ntarget': ('first]\nepsilom = 1\ntarget', "line 4: prove.first.epsilom: there is no"),
    '"mine_to_view.py:mean"\nepsilon = 1': (
        '"mine_to_view.py:mean"\nset = { size = 1 }',
        "line 4: prove.first.target: program mean: it has no parameter 'size'",
    ),
    '"mine_to_view.py:careless"': (
        '"mine_to_view.py:gone"',
        "line 8: prove.broken.target: target 'mine_to_view.py:gone'",
    ),
    '"refuted"': ('"argued"', "line 10: prove.broken.expected: 'argued' is refused: it must be on"),
    'domain = "0,1"': ('domain = "a,b"', "line 14: prove.coin.domain: domain 'a,b': it must be nu"),
    "[prove.first]": ("[prove.'a b']", "line 3: prove.\"a b\": the name of a proof may have lette"),
    "epsilon = 1\n": ("samples = 1\n", "prove.first.samples: there is no such key in a proof; it "
                                       "belongs in [defaults] or an audit"),
    'epsilon = "epsilon"': ("epsilon = 0", "line 9: prove.broken.epsilon: 0 is refused: it must"),
    '[prove.coin]\ntarget = "mine_to_view.py:response"\n': (
        "[prove.coin]\n", "prove.coin.target: missing: what is proved",
    ),
}  # fmt: skip


@pytest.mark.parametrize("old", WRONG)
def test_a_wrong_table_is_told_with_its_line(mine, capsys, old):
    new, message = WRONG[old]
    assert TOML.count(old) == 1
    (mine / "provado.toml").write_text(TOML.replace(old, new), encoding="utf-8")
    status, out, err = run(capsys)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_list_of_tables_is_refused(mine, capsys):
    (mine / "provado.toml").write_text('[[prove]]\ntarget = "a.py:b"\n', encoding="utf-8")
    status, _, err = run(capsys)
    assert status == 2
    assert "it must be a table of tables, [prove.NAME]" in err


def test_nothing_to_prove_is_told(mine, capsys):
    assert "nothing to prove: give a TARGET" in run(capsys)[2]
    (mine / "provado.toml").write_text(TOML, encoding="utf-8")
    assert "has no [prove.secnd]; it has first, broken, coin" in run(capsys, "secnd")[2]
    assert "TARGET 'first': it is given twice" in run(capsys, "first", "first")[2]
    assert (
        "--config: none of its entries"
        in run(capsys, target("mean"), "--config", "provado.toml")[2]
    )


def test_no_input_is_written_over(mine, capsys):
    for place in (("--sarif", "mine_to_view.py"), ("--smt", "mine_to_view.py")):
        status, out, err = run(capsys, target("mean"), *place)
        assert (status, out) == (2, "")
        assert "mine_to_view.py" in err
    assert (mine / "mine_to_view.py").read_text("utf-8") == MINE


def test_a_table_of_pyproject_is_read_alike(mine, capsys):
    text = TOML.replace('out = "left"', "[tool.provado]").replace("[prove.", "[tool.provado.prove.")
    (mine / "pyproject.toml").write_text(text, encoding="utf-8")
    assert run(capsys, "first")[0] == 0
    wrong = text.replace('expected = "refuted"', 'expected = "rejected"')
    (mine / "pyproject.toml").write_text(wrong, encoding="utf-8")
    assert "pyproject.toml, line 10: tool.provado.prove.broken.expected" in run(capsys, "first")[2]
