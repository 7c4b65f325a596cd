import importlib.util
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.cause_effect.additive_noise_model import Direction
from provado.reports.commands.reproduce.sources.pairs import NamedPair, load_pairs, tuebingen_pairs

FOUR = "1,2\n3,4\n5,6\n7,8.5\n"


def has_cdt():
    return importlib.util.find_spec("cdt") is not None


def write(folder, **files):
    for name, text in files.items():
        stem, _, suffix = name.rpartition("_")
        (folder / f"{stem}.{suffix}").write_text(text, encoding="utf-8")


def fake_cdt(monkeypatch, folder, pairs, targets):
    place = folder / "data" / "resources"
    place.mkdir(parents=True)
    (place / "Tuebingen_pairs.csv").write_text(pairs)
    (place / "Tuebingen_targets.csv").write_text(targets)
    spec = SimpleNamespace(submodule_search_locations=[str(folder)])
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: spec)


@pytest.mark.skipif(not has_cdt(), reason="the files of cdt are not installed")
def test_tuebingen_pairs_are_all_there_and_exchanged_by_coins():
    found = tuebingen_pairs(np.random.default_rng(1))
    assert len(found) == 99
    assert {p.direction for p in found} == {Direction.FORWARD, Direction.BACKWARD}
    forward = sum(p.direction is Direction.FORWARD for p in found)
    assert stats.binomtest(forward, 99).pvalue > 1e-6
    assert all(p.x.shape == p.y.shape for p in found)
    assert (min(p.x.size for p in found), max(p.x.size for p in found)) == (94, 16382)
    # The first pair is altitude and temperature; turned back, altitude comes first.
    first = found[0] if found[0].direction is Direction.FORWARD else found[0].swapped()
    assert first.name == "pair1"
    assert first.x[:3].tolist() == [205, 46, 794]
    again = tuebingen_pairs(np.random.default_rng(1))
    assert [p.direction for p in again] == [p.direction for p in found]


def test_a_missing_cdt_names_the_extra(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"provado\[data\]"):
        tuebingen_pairs(np.random.default_rng(1))


def test_targets_are_read_not_assumed(monkeypatch, tmp_path):
    fake_cdt(
        monkeypatch,
        tmp_path,
        "SampleID,A,B\np,1 2,3 4\nq,5 6,7 8\n",
        "SampleID,Target\np,1.0\nq,-1\n",
    )
    p, q = tuebingen_pairs(np.random.default_rng(1))
    assert p.x[0] == (1 if p.direction is Direction.FORWARD else 3)
    assert q.x[0] == (5 if q.direction is Direction.BACKWARD else 7)


@pytest.mark.parametrize(
    ("pairs", "targets", "message"),
    [
        ("SampleID,A,B\np,1 2,3\n", "SampleID,Target\np,1\n", "p has 2 and 1 numbers"),
        ("SampleID,A,B\np,1 x,3 4\n", "SampleID,Target\np,1\n", "numbers separated by spaces"),
        ("SampleID,A,B\np,1 nan,3 4\n", "SampleID,Target\np,1\n", "finite"),
        ("SampleID,A\np,1 2\n", "SampleID,Target\np,1\n", "line 1 must be 'SampleID,A,B'"),
        ("SampleID,A,B\np,1 2\n", "SampleID,Target\np,1\n", "line 2 must have 3 cells"),
        ("SampleID,A,B\np,1,2\n", "SampleID,Target\np,0\n", "must be 1 or -1"),
        ("SampleID,A,B\np,1,2\n", "SampleID,Target\nq,1\n", "no line for 'p'"),
    ],
)
def test_unexpected_files_are_refused(monkeypatch, tmp_path, pairs, targets, message):
    fake_cdt(monkeypatch, tmp_path, pairs, targets)
    with pytest.raises(UsageError, match=message):
        tuebingen_pairs(np.random.default_rng(1))


def test_a_folder_of_pairs(tmp_path):
    write(
        tmp_path,
        b_csv="age,pay\n" + FOUR,
        a_txt="1 2\n\n3\t4\n 5  6\n7 8.5\n",
        notes_md="not a pair",
        labels_csv="name,direction\nb, Y->X\nc,X→Y\n",
    )
    table = pd.DataFrame({"x": [1, 3, 5, 7], "y": [2.0, 4.0, 6.0, 8.5]})
    table.to_parquet(tmp_path / "c.parquet")
    found = load_pairs(tmp_path)
    assert [(p.name, p.direction) for p in found] == [
        ("a", None),
        ("b", Direction.BACKWARD),
        ("c", Direction.FORWARD),
    ]
    for one in found:
        assert one.x.tolist() == [1, 3, 5, 7]
        assert one.y.tolist() == [2, 4, 6, 8.5]


def test_swapping_turns_the_label():
    one = NamedPair("p", np.zeros(2), np.ones(2), Direction.FORWARD)
    other = one.swapped()
    assert (other.x[0], other.y[0], other.direction) == (1, 0, Direction.BACKWARD)
    assert NamedPair("p", one.x, one.y, None).swapped().direction is None


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "no pair in it"),
        ({"a_csv": "1,2\n3,x\n5,6\n7,8\n"}, r"a\.csv: line 2 is '3,x'"),
        ({"a_csv": "x,y\n1,2\n3,4,5\n"}, r"line 3 is '3,4,5': it must be two"),
        ({"a_csv": "1,2\n3,nan\n5,6\n7,8\n"}, "line 2 is '3,nan'"),
        ({"a_csv": "x,y\n1,2\n3,4\n5,6\n"}, "3 records; at least 4"),
        ({"a_txt": "x y\n" + FOUR.replace(",", " ")}, r"a\.txt: line 1 is 'x y'"),
        ({"a_txt": FOUR}, "separated by spaces or tabs"),
        ({"a_csv": FOUR, "a_txt": FOUR.replace(",", " ")}, "the same name"),
        ({"a_csv": FOUR, "labels_csv": "name,direction\nb,X->Y\n"}, "is named 'b'"),
        ({"a_csv": FOUR, "labels_csv": "name,direction\na,up\n"}, "line 2 has the direction 'up'"),
        ({"a_csv": FOUR, "labels_csv": "a,X->Y\n"}, "line 1 must be 'name,direction'"),
        (
            {"a_csv": FOUR, "labels_csv": "name,direction\na,X->Y\na,X->Y\n"},
            "line 3 names 'a' a second time",
        ),
    ],
)
def test_errors_name_file_line_and_rule(tmp_path, files, message):
    write(tmp_path, **files)
    with pytest.raises(UsageError, match=message):
        load_pairs(tmp_path)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"x": [1, 2, 3, 4]}, "two numeric columns"),
        ({"x": [1, 2, 3, 4], "y": ["a", "b", "c", "d"]}, "two numeric columns"),
        ({"x": [1, 2, 3, 4], "y": [True, False, True, True]}, "two numeric columns"),
        ({"x": [1, 2, 3, 4], "y": [1.0, None, 3.0, 4.0]}, "row 2 must hold"),
    ],
)
def test_parquet_errors(tmp_path, table, message):
    pd.DataFrame(table).to_parquet(tmp_path / "a.parquet")
    with pytest.raises(UsageError, match=message):
        load_pairs(tmp_path)


def test_unreadable_files_are_named(tmp_path):
    with pytest.raises(UsageError, match="missing"):
        load_pairs(tmp_path / "missing")
    (tmp_path / "a.csv").write_bytes(b"\xff\xfe1")
    with pytest.raises(UsageError, match="UTF-8"):
        load_pairs(tmp_path)
    (tmp_path / "a.csv").unlink()
    (tmp_path / "b.parquet").write_bytes(b"no")
    with pytest.raises(UsageError, match=r"b\.parquet: not readable as Parquet"):
        load_pairs(tmp_path)
