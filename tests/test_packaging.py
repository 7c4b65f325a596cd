"""One tree serves packaging, editors, mypy and the documentation: src/provado and its links."""

import importlib
import re
import runpy
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import provado

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "provado"
ROOMS = ("audit", "mechanisms", "proofs", "reports")


def test_every_room_is_linked_by_a_path_that_moves_with_the_repository():
    links = {link.name: link.readlink() for link in SOURCE.iterdir() if link.is_symlink()}
    assert links == {room: Path("../..") / room for room in ROOMS}


@pytest.mark.parametrize("room", ROOMS)
def test_what_is_imported_is_the_file_of_the_repository(room):
    module = importlib.import_module(f"provado.{room}")
    assert Path(module.__file__).resolve() == ROOT / room / "__init__.py"


def test_every_folder_with_code_is_a_package_that_is_found():
    from setuptools import find_packages

    found = set(find_packages(str(ROOT / "src")))
    files = [file for room in ROOMS for file in (ROOT / room).rglob("*.py")]
    assert len(files) > 200
    assert {".".join(("provado", *file.parent.relative_to(ROOT).parts)) for file in files} <= found


def test_a_package_index_gets_no_relative_link():
    made = runpy.run_path(str(ROOT / "setup.py"), run_name="setup")["long_description"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(re.findall(r"\]\((?!https?:)", readme)) > 10
    filled = made(readme, "https://example.org/a/provado/", "0.1.0")
    assert "![The page of this audit" in filled
    assert "(https://example.org/a/provado/raw/v0.1.0/docs/pages/report.png)" in filled
    assert "[changelog](https://example.org/a/provado/blob/v0.1.0/CHANGELOG.md)" in filled
    bare = made(readme, None, "0.1.0")
    assert "(changelog)" in bare
    assert "report.png" not in bare
    for text in (filled, bare):
        assert not re.findall(r"\]\((?!https?:)[^)]*", text)


def test_the_host_is_named_in_one_place_alone():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["dynamic"] == ["readme"]
    written = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert "# TO FILL IN before the first release" in written.split("[project.urls]")[0]


def test_the_function_and_the_version_stand_at_the_top():
    from provado import __version__, audit

    assert __version__ == provado.__version__
    assert audit(lambda data: 0, epsilon=1.0, pair=(0, 1), samples=100).counts.trials == 100
    assert audit.audit is provado.audit.audit
    with pytest.raises(AttributeError, match="no attribute 'audti'"):
        provado.audti  # noqa: B018


@pytest.mark.slow
def test_the_wheel_holds_every_file_and_runs_from_anywhere(tmp_path):
    pip = [sys.executable, "-m", "pip"]
    quiet = ["--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*pip, "wheel", *quiet, "-w", tmp_path, ROOT], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    kinds = (".py", ".typed", ".css", ".html", ".js", ".json", ".toml", ".v")
    files = [f for room in ROOMS for f in (ROOT / room).rglob("*") if f.suffix in kinds]
    assert {f"provado/{file.relative_to(ROOT)}" for file in files} <= held
    assert "provado/__init__.py" in held
    subprocess.run([*pip, "install", *quiet, "--target", tmp_path / "to", wheel], check=True)
    said = subprocess.run(
        [sys.executable, "-c", "import provado.reports as r; print(r.__file__)"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path / "to")},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.strip() == str(tmp_path / "to/provado/reports/__init__.py")
