"""The first minute: what is said without a command, hints at the right word, completion."""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from provado.mechanisms.catalogue import catalogue
from provado.proofs.ledger import ledger
from provado.reports.cli.commands.completion import script as script_for
from provado.reports.cli.main import TRY, _parser, command_names, main
from provado.reports.text.formatting import hint


def test_no_command_says_what_there_is_and_what_to_try(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    parser, offered = _parser(command_names())
    for name in offered.choices:
        assert f"  provado {name} " in out
    assert len(TRY) == 3
    for command, _ in TRY:
        assert f"  {command}\n" in out
        program, *words = shlex.split(command)
        assert program == "provado"
        parser.parse_args(words)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["adit"], "invalid choice: 'adit'"),
        (["adit"], "did you mean 'audit'?"),
        (["--verison"], "--verison; did you mean '--version'? (see `provado --help`)"),
        (["verify", "--job", "2"], "--job 2; did you mean '--jobs'? (see `provado verify --help`)"),
        (["effect", "--poplation", "x"], "--poplation x; did you mean '--population'?"),
        (["discover", "x.csv", "--score", "hsci"], "did you mean 'hsic'?"),
        (["audit", "x.py:f", "--relation", "replaceone"], "did you mean 'replace-one'?"),
        (["audit", "x.py:f", "-x"], "unrecognized arguments: -x"),
        (["audit", "x.py:f", "--domain", "a=0:1", "b=2,3"], "b=2,3; repeat --domain before each"),
        (["audit", "x.py:f", "--domain=a=0:1", "b=2,3"], "b=2,3; repeat --domain before each"),
        (["list", "more"], "unrecognized arguments: more"),
        (["completion", "bsh"], "did you mean 'bash'?"),
        (["verify", "kusner2016/thm5-prof"], "the nearest is kusner2016/thm5-proof"),
        (["list", "--only", "laplace/grid-01"], "did you mean 'laplace/gri"),
    ],
)
def test_a_wrong_word_brings_the_nearest_right_one(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert message in err


@pytest.mark.parametrize("name", ["audit", "prove", "bound", "replay", "discover"])
def test_help_shows_a_dozen_options_and_examples_that_parse(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parser, offered = _parser([name])
    for flag in ("--help", "--help-all"):
        with pytest.raises(SystemExit):
            main([name, flag])
    shown = capsys.readouterr().out
    first, full = (f"usage:{text}" for text in shown.split("usage:")[1:])
    own = offered.choices[name]
    every = {one for one in own._option_string_actions if one.startswith("--")}
    found = set(re.findall(r"^  (?:-h, )?(--[a-z-]+)", first, re.M))
    assert found < every
    assert len(found) <= 15
    assert set(re.findall(r"^  (?:-h, )?(--[a-z-]+)", full, re.M)) == every
    assert all(len(line) <= 82 for line in first.splitlines())
    examples = first.partition("\nexamples:\n")[2].splitlines()
    assert len(examples) == 3
    for example in examples:
        program, *words = shlex.split(example)
        assert program == "provado"
        parser.parse_args(words)


def test_a_complaint_ends_in_a_command_that_works(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "x.py:f", "--epsilon", "-1"]) == 2
    err = capsys.readouterr().err
    assert "argument --epsilon: -1 is refused: it must be a finite number above 0" in err
    (example,) = re.findall(r"an example: `provado (.*)`", err)
    _parser(["audit"])[0].parse_args(shlex.split(example))


def test_hints() -> None:
    known = ["--epsilon", "--seed", "--seconds", "Count"]
    assert hint("--eps", known) == "; did you mean '--epsilon'?"
    assert hint("--sede", known) == "; did you mean '--seed'?"
    assert hint("cuont", known) == "; did you mean 'Count'?"
    # Two start so: the start alone decides nothing.
    assert hint("--se", known) in ("", "; did you mean '--seed'?")
    assert hint("--banana", known) == ""
    assert hint("", known) == ""


def completed(script: str, *words: str, cwd: Path) -> set[str]:
    """Return what bash offers for the last of the words."""
    line = " ".join(map(shlex.quote, words))
    program = (
        f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _shtab_provado; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", program], capture_output=True, text=True, check=True, cwd=cwd
    )
    assert done.stderr == ""
    return set(done.stdout.split())


def test_bash_completes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    (tmp_path / "my.py").write_text("")
    registered = subprocess.run(
        ["bash", "--norc", "-c", f"{script}\ncomplete -p provado"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "-F _shtab_provado provado" in registered.stdout
    assert completed(script, "provado", "", cwd=tmp_path) == set(command_names())
    assert completed(script, "provado", "re", cwd=tmp_path) == {"replay", "report", "reproduce"}
    assert completed(script, "provado", "audit", "--s", cwd=tmp_path) == {
        "--samples",
        "--score",
        "--seconds",
        "--seed",
        "--stop-early",
    }
    names = {one.name for one in catalogue()}
    assert completed(script, "provado", "audit", "--only", "", cwd=tmp_path) == names
    assert completed(script, "provado", "list", "--only", "sv", cwd=tmp_path) == {
        name for name in names if name.startswith("sv")
    }
    ids = {entry.id for entry in ledger()}
    assert completed(script, "provado", "verify", "", cwd=tmp_path) == ids
    assert completed(script, "provado", "audit", "--relation", "", cwd=tmp_path) == {
        "replace-one",
        "add-or-remove-one",
    }
    assert "my.py" in completed(script, "provado", "audit", "m", cwd=tmp_path)
    assert completed(script, "provado", "completion", "", cwd=tmp_path) == {"bash", "fish", "zsh"}


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_other_shells_get_every_option(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for name, parser in _parser(command_names())[1].choices.items():
        assert name in script
        for option in parser._option_string_actions:
            if option.startswith("--"):
                shown = option if shell == "zsh" else f" -l {option[2:]} "
                assert shown in script
    # Every quote that is opened is closed, by the rules that both shells share with this reader.
    assert shlex.split(re.sub(r"(?m)^#.*$", "", script))


def test_help_texts_cannot_break_a_script() -> None:
    root = argparse.ArgumentParser()
    commands = root.add_subparsers()
    one = commands.add_parser("do", help="what: it $does")
    one.add_argument("--x", choices=("v", "w"), help='it’s [a] $HOME `b` \\ "c"')
    one.add_argument("--y", action="store_true")
    scripts = {shell: script_for(commands, shell) for shell in ("bash", "zsh", "fish")}
    for script in scripts.values():
        assert "--x" in script or "-l x" in script
    assert '"--x[it\\’s \\[a\\] \\$HOME \\`b\\` \\\\ \\"c\\"]:x:(v w)"' in scripts["zsh"]
    assert "'it’s [a] $HOME `b` \\ \"c\"'" in scripts["fish"]
    assert subprocess.run(["bash", "-n", "-c", scripts["bash"]], check=False).returncode == 0
