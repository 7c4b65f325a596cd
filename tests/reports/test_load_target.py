from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from provado.mechanisms import Mechanism, UsageError
from provado.reports.targets.load import NoNameError, load_target, suggestions


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    before = dict(sys.modules)
    yield
    for name in set(sys.modules) - set(before):
        if "." not in name:
            del sys.modules[name]


def refused(text: str) -> str:
    with pytest.raises(UsageError) as raised:
        load_target(text)
    return str(raised.value)


@pytest.mark.parametrize("place", ["targets_under_test.py", "./targets_under_test.py"])
def test_a_function_of_a_file(folder: Path, place: str, files: Callable[[], set[str]]) -> None:
    path = list(sys.path)
    target = load_target(f"{place}:sound")
    assert target.name == "sound"
    assert callable(target.mechanism)
    assert target.mechanism.__module__ == "targets_under_test"
    assert sys.path == path
    assert files() == set()


def test_a_function_of_a_module(folder: Path) -> None:
    assert load_target("targets_under_test:sound").name == "sound"
    assert load_target("math:sqrt").mechanism(4) == 2  # type: ignore[operator]


def test_a_mechanism_and_a_nested_name() -> None:
    target = load_target("provado.mechanisms.textbook.laplace:MECHANISMS.__len__")
    assert target.name == "MECHANISMS.__len__"


def test_a_mechanism_goes_by_its_own_name(folder: Path) -> None:
    (folder / "stated_under_test.py").write_text(
        "from provado.mechanisms.catalogue import catalogue\nchosen = catalogue()[0]\n"
    )
    target = load_target("stated_under_test.py:chosen")
    assert isinstance(target.mechanism, Mechanism)
    assert target.name == target.mechanism.name


def test_a_file_may_import_its_neighbors_now_and_later(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "neighbor_under_test.py").write_text("VALUE = 3\n")
    (folder / "sub" / "late_under_test.py").write_text("VALUE = 4\n")
    (folder / "sub" / "importing_under_test.py").write_text(
        "from neighbor_under_test import VALUE\n"
        "def f(data):\n    import late_under_test\n    return VALUE + late_under_test.VALUE\n"
    )
    target = load_target("sub/importing_under_test.py:f")
    with target.importable():
        assert target.mechanism(None) == 7  # type: ignore[operator]


def test_a_file_without_a_name_lists_what_it_offers(folder: Path) -> None:
    message = refused("targets_under_test.py")
    assert message.endswith("callables there: sound, leaky, raises, prints, crashes, hangs")
    assert "say which, as targets_under_test.py:name" in message
    assert "say which" in refused("targets_under_test")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nowhere.py:f", "target 'nowhere.py:f': there is no file 'nowhere.py'"),
        ("nowhere_under_test:f", "there is no module 'nowhere_under_test'"),
        ("targets_under_test.py:missing", "targets_under_test.py has no 'missing'; callables"),
        ("targets_under_test.py:laeky", "has no 'laeky'; did you mean 'leaky'?; callables"),
        ("target_under_test.py:f", "did you mean 'targets_under_test.py'?"),
        ("targets_under_test.py:CONSTANT", "CONSTANT is of type int; it must be a callable"),
        ("./d0.json:f", "'./d0.json' is not a Python file (.py)"),
        (":f", "there is no module ':f'"),
        ("notes.ipynb:f", "audit inside the notebook, or export it to a Python file"),
        ("targets_under_test.py:", "say which, as targets_under_test.py:name"),
        ("", "importing  raised ValueError"),
    ],
)
def test_a_wrong_target_is_refused(folder: Path, text: str, message: str) -> None:
    assert message in refused(text)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def f(:\n", "line 1: invalid syntax"),
        ("import nowhere_under_test\n", "there is no module 'nowhere_under_test'"),
        ("1 / 0\n", "importing broken_under_test.py raised ZeroDivisionError: division by zero"),
        ("raise SystemExit(0)\n", "importing broken_under_test.py raised SystemExit: 0"),
        ("import nowhere_under_test as x\n", "'nowhere_under_test', which broken_under_test.py im"),
        ("from .other import f\n", "give it as a module: broken_under_test:name"),
        ("\0x", "it seems to be in UTF-16BE: save it in UTF-8"),
    ],
)
def test_a_file_that_cannot_be_imported(folder: Path, source: str, message: str) -> None:
    (folder / "broken_under_test.py").write_text(source)
    assert message in refused("broken_under_test.py:f")
    assert "broken_under_test" not in sys.modules


def test_a_file_never_takes_the_place_of_a_module_in_use(folder: Path) -> None:
    (folder / "json.py").write_text("def f(data):\n    return data\n")
    assert "a module named 'json' is in use already; rename the file" in refused("json.py:f")


def test_printing_while_imported_does_not_reach_standard_output(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "noisy_under_test.py").write_text("print('hello')\ndef f(data): return data\n")
    load_target("noisy_under_test.py:f")
    assert capsys.readouterr().out == ""


def test_another_folder_than_the_current_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert "there is no file" in refused("targets_under_test.py:sound")
    target = load_target("targets_under_test.py:sound", folder)
    assert target.folder == folder
    assert load_target("targets_under_test:sound", folder).mechanism is target.mechanism


def test_what_a_file_offers_comes_with_commands(folder: Path) -> None:
    with pytest.raises(NoNameError) as raised:
        load_target("targets_under_test.py")
    text = suggestions(raised.value)
    for name in ("sound", "leaky", "raises", "prints", "crashes", "hangs"):
        assert f"provado audit targets_under_test.py:{name} --epsilon 1 --data" in text
    assert "  sound: Answers at random: private at any epsilon.\n" in text
    assert "CONSTANT" not in text


def test_a_default_is_the_claim_and_what_is_lacking_is_told(folder: Path) -> None:
    (folder / "offers_under_test.py").write_text(
        "def mean(data, epsilon=0.5): pass\ndef lacking(data, bound, *, epsilon, size, rng): pass\n"
    )
    with pytest.raises(NoNameError) as raised:
        load_target("offers_under_test.py")
    text = suggestions(raised.value)
    assert "offers_under_test.py:mean --epsilon 0.5 --data" in text
    assert "    also takes bound, epsilon: write a function of the data alone" in text
    assert "offers_under_test.py:lacking" not in text


def test_a_mechanism_needs_no_claim_and_an_empty_file_offers_nothing(folder: Path) -> None:
    (folder / "offers_under_test.py").write_text(
        "from provado.mechanisms.catalogue import catalogue\nchosen = catalogue()[0]\n"
    )
    (folder / "empty_under_test.py").write_text("X = 1\n")
    with pytest.raises(NoNameError) as raised:
        load_target("offers_under_test.py")
    assert "    provado audit offers_under_test.py:chosen\n" in suggestions(raised.value) + "\n"
    assert "--epsilon" not in suggestions(raised.value)
    with pytest.raises(NoNameError) as raised:
        load_target("empty_under_test.py")
    assert suggestions(raised.value).startswith("empty_under_test.py has nothing to audit")
