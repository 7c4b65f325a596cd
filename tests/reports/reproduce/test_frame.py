import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.definitions.mechanism import Source
from provado.reports.commands.reproduce import pages
from provado.reports.commands.reproduce.experiment import (
    Curve,
    Experiment,
    Figure,
    Findings,
    Panel,
    PaperClaim,
    PaperTable,
    Piece,
    Scope,
    choose,
    experiments,
    mean_and_deviation,
)
from provado.reports.commands.reproduce.pages import files_of, text
from provado.reports.commands.reproduce.run import Store, carry_out, make_plan

SOURCE = Source("Nobody, Nothing (2000)", "Table 0")
SIX = [Piece(f"part {i}", {"number": i}, 1.0) for i in range(6)]


def draw(arguments, rng):
    return {"number": arguments["number"], "drawn": rng.random()}


def draw_or_die(arguments, rng):
    if arguments["number"] == 3:
        os._exit(7)
    if arguments["number"] == 4:
        raise ValueError("no such number")
    return draw(arguments, rng)


def slowly(arguments, rng):
    time.sleep(0.2)
    return draw(arguments, rng)


def conclude(setting, answers):
    rows = tuple((key, answer["drawn"]) for key, answer in answers.items())
    y = tuple(drawn for _, drawn in rows)
    curve = Curve("drawn", tuple(range(len(y))), y, spread=(0.1,) * len(y))
    panel = Panel("one | panel", "number", "drawn", (curve,), levels=(("half", 0.5),))
    printed = PaperClaim("all are below *one*", "page 1", f"{max(y):.3f}", max(y) < 1)
    return Findings(
        (("parts", str(len(rows))),),
        (PaperTable("drawn", "What was drawn", ("part", "drawn"), rows),),
        (Figure("curve", "What was drawn", (panel,)),),
        (printed,),
    )


def experiment(work=draw, **named):
    chosen = {"name": "nobody/table0", "title": "draws", "source": SOURCE}
    return Experiment(**chosen | named, parts=lambda setting: SIX, work=work, findings=conclude)


def run(one, folder, seed=0, processes=2):
    return carry_out(make_plan([one], Scope(seed=seed), folder, processes))[0]


def test_numbers_follow_from_the_seed_alone(tmp_path):
    first = run(experiment(), tmp_path / "a", processes=1)
    again = run(experiment(), tmp_path / "b", processes=2)
    other = run(experiment(), tmp_path / "c", seed=1)
    assert files_of(first, first.findings) == files_of(again, again.findings)
    assert pages.markdown([first]) == pages.markdown([again])
    assert first.results != other.results
    drawn = [result["drawn"] for result in first.results.values()]
    assert len(set(drawn)) == len(SIX)


def test_what_is_stored_is_not_done_again(tmp_path):
    one = experiment()
    before = run(one, tmp_path)
    plan = make_plan([one], Scope(), tmp_path, 2)
    assert plan.together == ()
    assert "6 of them there already" in plan.words()
    assert carry_out(plan)[0].results == before.results
    assert len(make_plan([one], Scope(seed=1), tmp_path, 2).together) == 6


def test_other_arguments_other_code_and_damage_void_a_part(tmp_path, monkeypatch):
    store = Store(tmp_path, experiment(), 0)
    store.write(SIX[0], {"drawn": 0.5}, 1.0)
    assert store.read(SIX[0]) == {"drawn": 0.5}
    assert store.read(Piece(SIX[0].key, {"number": 9}, 1.0)) is None
    assert Store(tmp_path, experiment(), 1).read(SIX[0]) is None
    with monkeypatch.context() as changed:
        changed.setattr("provado.reports.commands.reproduce.run._code", lambda name: "another")
        assert store.read(SIX[0]) is None
    (file,) = tmp_path.iterdir()
    assert json.loads(file.read_text())["seconds"] == 1.0
    file.write_text(file.read_text()[:-20])
    assert store.read(SIX[0]) is None


def test_a_result_without_json_is_refused_whole(tmp_path):
    store = Store(tmp_path, experiment(), 0)
    for bad in ({"drawn": float("nan")}, {"drawn": np.float64}):
        with pytest.raises(UsageError, match="nobody/table0, part 'part 0'"):
            store.write(SIX[0], bad, 1.0)
    assert list(tmp_path.iterdir()) == []


def test_the_folder_is_there_before_any_part_and_gone_if_none_is_kept(tmp_path):
    folder = tmp_path / "out" / "parts"

    def only_there(arguments, rng):
        return {"there": (folder / "nobody/table0/parts").is_dir(), "drawn": 0.0}

    found = carry_out(make_plan([experiment(only_there)], Scope(), folder, 2))[0]
    assert all(answer["there"] for answer in found.results.values())

    def die(arguments, rng):
        os._exit(1)

    carry_out(make_plan([experiment(die)], Scope(), tmp_path / "none" / "parts", 2))
    assert not (tmp_path / "none").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="nothing was written"):
        carry_out(make_plan([experiment()], Scope(), tmp_path / "file" / "parts", 2))


def test_what_breaks_leaves_its_experiment_without_findings_and_the_rest_kept(tmp_path):
    one, other = experiment(draw_or_die), experiment(name="nobody/table1")
    broken, whole = carry_out(make_plan([one, other], Scope(), tmp_path, 2))
    assert broken.findings is None
    assert whole.findings is not None
    assert ["part 3" in broken.reasons[0], "ValueError" in broken.reasons[1]] == [True, True]
    assert "not completed: part part 3" in text(broken)
    assert len(make_plan([one], Scope(), tmp_path, 1).together) == 2
    page = pages.markdown([broken])["nobody.md"]
    assert "not completed" in page
    assert "| printed |" not in page


def test_timed_parts_run_alone_and_stay_off_the_pages(tmp_path):
    one = experiment(timed=True)
    plan = make_plan([one], Scope(), tmp_path, 2)
    assert (len(plan.together), len(plan.alone)) == (0, 6)
    assert plan.seconds == 6
    (outcome,) = carry_out(plan)
    assert outcome.findings is not None
    page = pages.markdown([outcome])
    assert list(page) == ["nobody.md"]
    assert "`nobody/table0`" in page["nobody.md"]


def test_pictures_and_tables_say_what_they_hold(tmp_path):
    outcome = run(experiment(), tmp_path)
    files = files_of(outcome, outcome.findings)
    assert set(files) == {"numbers.json", "drawn.csv", "curve.csv", "curve.svg", "curve.png"}
    assert files["curve.png"].startswith(b"\x89PNG")
    assert "one | panel" in files["curve.svg"]
    assert files["curve.csv"].splitlines()[0] == "panel,curve,x,y,spread"
    assert len(files["drawn.csv"].splitlines()) == 7
    page = pages.markdown([outcome])["nobody.md"]
    assert r"all are below \*one\*" in page
    assert "holds here |" in page


def test_a_killed_run_goes_on_where_it_was(tmp_path):
    code = (
        "from pathlib import Path\n"
        "from tests.reports.reproduce import test_frame as t\n"
        f"t.run(t.experiment(t.slowly), Path({str(tmp_path)!r}), processes=1)\n"
    )
    root = Path(__file__).parents[3]
    paths = os.pathsep.join([str(root), str(root / "src")])
    process = subprocess.Popen(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": paths}
    )
    folder = tmp_path / "nobody" / "table0" / "parts"
    while not (folder.is_dir() and list(folder.glob("*.json"))):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = {file: file.stat().st_mtime_ns for file in folder.glob("*.json")}
    assert all(json.loads(file.read_text())["result"] for file in kept)
    assert 1 <= len(kept) < 6
    outcome = run(experiment(slowly), tmp_path)
    assert outcome.findings is not None
    assert {file: file.stat().st_mtime_ns for file in kept} == kept
    fresh = run(experiment(slowly), tmp_path / "fresh")
    assert outcome.results == fresh.results


def test_names_papers_and_globs_are_found():
    names = [one.name for one in experiments()]
    assert names == sorted(set(names))
    assert [one.name for one in choose(["kusner2016/table2"])] == ["kusner2016/table2"]
    assert {one.name for one in choose(["kusner2016"])} == {
        name for name in names if name.startswith("kusner2016/")
    }
    with pytest.raises(UsageError, match=r"kusner2016/tabel2.*nearest is kusner2016/table2"):
        choose(["kusner2016/tabel2"])


@pytest.mark.parametrize("one", experiments(), ids=lambda one: one.name)
def test_parts_of_every_experiment_have_names_of_their_own_and_arguments_for_json(one):
    for quick in (True, False):
        parts = one.parts(Scope(quick=quick))
        assert len({part.key for part in parts}) == len(parts) > 0
        assert all(part.seconds > 0 for part in parts)
        json.dumps([dict(part.arguments) for part in parts], allow_nan=False)
    assert sum(p.seconds for p in one.parts(Scope(quick=True))) <= 60


def test_a_row_is_as_long_as_the_head():
    PaperTable("drawn", "What was drawn", ("part", "drawn"), (("a", 1),))
    for row in (("a",), ("a", 1, 2)):
        with pytest.raises(ValueError, match="table drawn: 2 heads"):
            PaperTable("drawn", "What was drawn", ("part", "drawn"), (("a", 1), row))


def test_mean_and_deviation_are_numpys():
    values = [0.1, 0.5, 0.9, 0.2]
    mean, deviation = mean_and_deviation(values)
    assert mean == pytest.approx(np.mean(values))
    assert deviation == pytest.approx(np.std(values, ddof=1))
    assert mean_and_deviation([3.0]) == (3.0, 0.0)
