import json

import jsonschema
import numpy as np
import pytest
from lxml import html

from provado.mechanisms.cause_effect.additive_noise_model import generate_pairs
from provado.mechanisms.cause_effect.pair_budget import SCORES, chance_of_positive, margins
from provado.reports.cli.main import main
from provado.reports.documents import schema
from tests.mechanisms.anm.fit_and_score import in_unit

pytest.importorskip("matplotlib")


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "pairs"
    place.mkdir()
    lines = ["name,direction"]
    for i, pair in enumerate(generate_pairs(3, 60, np.random.default_rng(1))):
        np.savetxt(place / f"p{i}.csv", np.column_stack([pair.x, pair.y]), delimiter=",")
        lines.append(f"p{i},{pair.direction.replace('→', '->')}")
    (place / "labels.csv").write_text("\n".join(lines))
    return place


def reproduce(folder, *more):
    out = folder.parent / "out"
    call = ["reproduce", "kusner2016/table2", "--quick", "--pairs", str(folder), "--out", str(out)]
    return main([*call, *more]), out / "quick"


def test_table_of_a_users_own_folder(folder, capsys):
    status, out = reproduce(folder)
    assert status == 0
    shown = capsys.readouterr().out
    assert f"on 3 pairs ({folder})" in shown
    assert all(f" {name} " in shown for name in SCORES)
    page = html.fromstring((out / "index.html").read_text())
    assert [one.text for one in page.iter("caption") if str(folder) in one.text]
    assert (out / "kusner2016" / "table2" / "numbers.json").is_file()


def test_json_follows_its_schema_and_its_seed(folder, capsys):
    runs = []
    for seed in ("0", "0", "1"):
        status, out = reproduce(folder, "--json", "--seed", seed)
        assert status == 0
        runs.append(json.loads(capsys.readouterr().out))
    known = schema.json_schema(schema.REPRODUCE)
    jsonschema.validate(runs[0], known)
    jsonschema.validate(json.loads((out / "kusner2016/table2/numbers.json").read_text()), known)
    assert runs[0] == runs[1]
    assert runs[0]["experiments"][0]["tables"] != runs[2]["experiments"][0]["tables"]


def test_pages_for_a_documentation(folder, capsys):
    status, _ = reproduce(folder, "--pages", str(folder.parent / "docs"))
    assert status == 0
    page = (folder.parent / "docs" / "kusner2016.md").read_text()
    assert page.startswith("# Kusner")
    assert "provado reproduce kusner2016 --seed 0 --quick" in page


def test_without_labels_nothing_can_be_right(folder, capsys):
    (folder / "labels.csv").unlink()
    assert reproduce(folder)[0] == 2
    assert "no pair has a known direction" in capsys.readouterr().err


def test_without_a_name_the_experiments_are_listed(capsys):
    assert main(["reproduce"]) == 0
    assert "kusner2016/table2" in capsys.readouterr().out


def test_all_and_a_name_exclude_each_other(capsys):
    assert main(["reproduce", "--all", "kusner2016"]) == 2
    assert "--all" in capsys.readouterr().err


def test_files_that_are_not_there_are_named(capsys, monkeypatch, tmp_path):
    looked = "provado.reports.commands.reproduce.experiment.missing"
    monkeypatch.setattr(looked, lambda one: ("cdt",))
    assert main(["reproduce", "kusner2016/table2", "--out", str(tmp_path)]) == 2
    assert "pip install --no-deps 'cdt'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_exchanged_columns_turn_the_margins_around():
    pair = generate_pairs(1, 80, np.random.default_rng(2))[0]
    x, y = in_unit(pair)
    one = margins(x, y, splits=2, rng=np.random.default_rng(3))
    other = margins(y, x, splits=2, rng=np.random.default_rng(3))
    for name in SCORES:
        np.testing.assert_allclose(one[name], -other[name], atol=1e-12)


@pytest.mark.parametrize("name", SCORES)
def test_chance_goes_from_a_coin_to_certainty(name):
    chances = chance_of_positive(name, [-np.inf, -0.1, 0, 0.1, np.inf], m=100, epsilon=1.0)
    assert chances[[0, 2, 4]].tolist() == [0, 0.5, 1]
    assert 0 < chances[1] < 0.5 < chances[3] < 1
    assert chances[1] + chances[3] == pytest.approx(1)
    assert chance_of_positive(name, 0.1, m=100, epsilon=1e5) == pytest.approx(1)
