import json

import jsonschema
import numpy as np
import pytest

from provado.mechanisms.pairs.anm import generate_pairs
from provado.mechanisms.pairs.anm.margins import SCORES, chance_of_positive, margins
from provado.reports.cli.main import main
from provado.reports.data import schema


@pytest.fixture
def folder(tmp_path):
    lines = ["name,direction"]
    for i, pair in enumerate(generate_pairs(3, 60, np.random.default_rng(1))):
        np.savetxt(tmp_path / f"p{i}.csv", np.column_stack([pair.x, pair.y]), delimiter=",")
        lines.append(f"p{i},{pair.direction.replace('→', '->')}")
    (tmp_path / "labels.csv").write_text("\n".join(lines))
    return tmp_path


def test_table_of_a_users_own_folder(folder, capsys):
    assert main(["reproduce", "kusner2016", "--pairs", str(folder), "--splits", "2"]) == 0
    out = capsys.readouterr().out
    assert "on 3 pairs" in out
    assert all(f"\n{name} " in out for name in SCORES)


def test_json_follows_its_schema_and_its_seed(folder, capsys):
    runs = []
    for seed in ("0", "0", "1"):
        call = ["reproduce", "kusner2016", "--pairs", str(folder), "--seed", seed, "--json"]
        assert main(call) == 0
        runs.append(json.loads(capsys.readouterr().out))
    jsonschema.validate(runs[0], schema.json_schema(schema.REPRODUCE))
    assert runs[0] == runs[1]
    assert runs[0]["scores"] != runs[2]["scores"]


def test_without_labels_nothing_can_be_right(folder, capsys):
    (folder / "labels.csv").unlink()
    assert main(["reproduce", "kusner2016", "--pairs", str(folder)]) == 2
    assert "no pair has a known direction" in capsys.readouterr().err


def test_exchanged_columns_turn_the_margins_around():
    pair = generate_pairs(1, 80, np.random.default_rng(2))[0]
    x, y = pair.in_unit()
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
