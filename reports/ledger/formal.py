"""Replays the theorems that entries name: compiled by Coq, read back, kept by content.

Coq is asked for each theorem's statement and, beside it, for the statement that the claim's data
make; both are printed in full. What it says is judged in ``provado.proofs.ledger.theorem``. An
answer is kept in the user's cache folder under a digest of the statement, of all files behind it,
and of Coq's version.
"""

import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict
from graphlib import TopologicalSorter
from importlib import resources
from pathlib import Path
from typing import Any, Final

from provado.mechanisms import UsageError
from provado.proofs.ledger.theorem import CoqReplay, Theorem

ROOT: Final = Path(str(resources.files("provado.proofs"))) / "coq"
"""Where the files stand; Coq knows the folder as ``Provado``."""

_REQUIRE = re.compile(
    r"From\s+Provado(\.[\w.]+)?\s+Require(?:\s+(?:Import|Export))?\s+([\w.\s]+?)\.\s"
)
_COMMENT = re.compile(r'\(\*|\*\)|"[^"]*"')


def texts(root: Path = ROOT) -> dict[str, str]:
    """Return every file's text by its name with dots, ``tschantz2022.prop1``."""
    return {
        ".".join(file.relative_to(root).with_suffix("").parts): file.read_text("utf-8")
        for file in sorted(root.rglob("*.v"))
    }


def without_comments(text: str) -> str:
    """Return a file's text without comments, one space for each run of white space."""
    kept, depth, at = [], 0, 0
    for match in _COMMENT.finditer(text):
        text_there = match[0].startswith('"')
        if depth == 0:
            kept.append(text[at : match.end() if text_there else match.start()])
        at = match.end()
        depth += (match[0] == "(*") - (match[0] == "*)")
    return " ".join("".join([*kept, text[at:]]).split())


def digest(text: str) -> str:
    """Return a digest of what a file says, comments aside."""
    return hashlib.sha256(without_comments(text).encode()).hexdigest()[:16]


def requires(text: str) -> tuple[str, ...]:
    """Return the files of ours that a file requires."""
    bare = f"{without_comments(text)} "
    return tuple(
        f"{folder[1:]}.{name}" if folder else name
        for folder, names in _REQUIRE.findall(bare)
        for name in names.split()
    )


def closure(names: Iterable[str], files: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the named files and all that they require, with what each requires, in that order.

    Raises ``UsageError`` for a file that is not there.
    """
    graph: dict[str, tuple[str, ...]] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in graph:
            continue
        if name not in files:
            raise UsageError(f"proofs/coq: there is no file {name.replace('.', '/')}.v")
        graph[name] = requires(files[name])
        waiting += graph[name]
    return {name: graph[name] for name in TopologicalSorter(graph).static_order()}


VARIABLE: Final = "COQC"
"""Names the compiler in the environment; ``none`` for no replays."""

TIME_LIMIT = 300.0
"""Seconds that one file may take."""

COMMAND: Final = "make verify-formal"
"""What replays every theorem from a clone."""


_PROBE = (
    "From mathcomp Require Import all_ssreflect all_algebra.\nCheck @Num.Theory.ler_pdivr_mulr.\n"
)
"""What version 2 of mathcomp calls by another name."""


def find_compiler() -> str | None:
    """Return the path of Coq's compiler; ``None`` if there is none, or none is to be used."""
    return shutil.which(os.environ.get(VARIABLE) or "coqc")


def version_of(coqc: str) -> str:
    """Return the compiler's version; empty if it does not say one."""
    try:
        done = subprocess.run(
            [coqc, "--print-version"], capture_output=True, text=True, timeout=TIME_LIMIT
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.split()[0] if done.returncode == 0 and done.stdout.split() else ""


def can_compile(coqc: str) -> bool:
    """Return whether the library is there that the theorems are written with, in its version 1."""
    with tempfile.TemporaryDirectory(prefix="provado-coq-") as name:
        (Path(name) / "probe.v").write_text(_PROBE, "utf-8")
        return run(coqc, Path(name), "probe.v") == ""


def run(coqc: str, folder: Path, file: str, root: Path | None = None) -> str:
    """Compile a file of ``folder``, where ``root`` is known as ``Provado``; return what failed."""
    command = [coqc, "-q", "-w", "none", "-Q", str(root or folder), "Provado", file]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=TIME_LIMIT
        )
    except (OSError, subprocess.SubprocessError) as error:
        return f"{file}: {type(error).__name__}: {error}"
    if done.returncode == 0:
        return ""
    sentence = " ".join((done.stderr or done.stdout).split())
    return sentence[:600] or f"{file}: status {done.returncode}"


def compile_all(
    coqc: str, folder: Path, graph: Mapping[str, tuple[str, ...]], jobs: int
) -> dict[str, str]:
    """Compile the files of a graph after those that they require; return which failed, and why."""
    failed: dict[str, str] = {}
    sorter = TopologicalSorter(graph)
    sorter.prepare()
    running: dict[Future[str], str] = {}
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        while sorter.is_active():
            for name in sorter.get_ready():
                if broken := [needed for needed in graph[name] if needed in failed]:
                    failed[name] = failed[broken[0]]
                    sorter.done(name)
                else:
                    file = f"{name.replace('.', '/')}.v"
                    running[pool.submit(run, coqc, folder, file)] = name
            over, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in over:
                name = running.pop(future)
                if future.result():
                    failed[name] = future.result()
                sorter.done(name)
    return failed


_MATHCOMP = "From mathcomp Require Import all_ssreflect all_algebra."
_AXIOM = re.compile(r"^(\S+)(?: :|$)")


def cache_folder() -> Path:
    """Return the folder that keeps answers."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "provado" / "formal"


def replay_all(
    theorems: Sequence[Theorem],
    *,
    jobs: int = 1,
    root: Path = ROOT,
    cache: Path | None = None,
    compiler: str | None = None,
) -> dict[str, CoqReplay]:
    """Return what Coq makes of each theorem, by name; nothing where Coq or its library is not.

    cache: the folder of answers; ``None`` for none. compiler: found on the path if not given.
    """
    coqc = compiler or find_compiler()
    version = version_of(coqc) if coqc else ""
    if not coqc or not version or not theorems:
        return {}
    files = texts(root)
    keys = {theorem.name: _key(theorem, files, version) for theorem in theorems}
    known = {name: _kept(cache, key) for name, key in keys.items()} if cache else {}
    result = {name: kept for name, kept in known.items() if kept is not None}
    missing = [theorem for theorem in theorems if theorem.name not in result]
    if missing and can_compile(coqc):
        fresh = _compiled(coqc, missing, files, jobs, version)
        for name, replay in fresh.items():
            if cache and not replay.failure:
                _keep(cache, keys[name], replay)
        result |= fresh
    return result


def _behind(theorem: Theorem, files: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    return closure([theorem.file, *theorem.statement.imports], files)


def _key(theorem: Theorem, files: Mapping[str, str], version: str) -> str:
    try:
        behind = {name: files[name] for name in _behind(theorem, files)}
    except UsageError:
        behind = {}
    whole = [theorem.name, theorem.statement.text, theorem.statement.imports, behind, version]
    return hashlib.sha256(json.dumps(whole).encode()).hexdigest()


def _kept(cache: Path, key: str) -> CoqReplay | None:
    try:
        data = json.loads((cache / f"{key}.json").read_text("utf-8"))
        definitions = tuple((name, text) for name, text in data["definitions"])
        lists = {"assumptions": tuple(data["assumptions"]), "definitions": definitions}
        return CoqReplay(**{**data, **lists})
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _keep(cache: Path, key: str, replay: CoqReplay) -> None:
    # Without the cache the answer is only slower to have again.
    with contextlib.suppress(OSError):
        cache.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=cache)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(asdict(replay), file)
        Path(name).replace(cache / f"{key}.json")


def _compiled(
    coqc: str, theorems: Sequence[Theorem], files: Mapping[str, str], jobs: int, version: str
) -> dict[str, CoqReplay]:
    """Return the answers on theorems, compiled anew with all that is behind them."""
    answers: dict[str, CoqReplay] = {}
    with tempfile.TemporaryDirectory(prefix="provado-coq-") as name:
        folder = Path(name)
        whole: dict[str, tuple[str, ...]] = {}
        for theorem in theorems:
            try:
                whole |= _behind(theorem, files)
            except UsageError as error:
                answers[theorem.name] = _failure(theorem, str(error))
        lay_out(folder, whole, files)
        failed = compile_all(coqc, folder, whole, jobs)
        for theorem in (item for item in theorems if item.name not in answers):
            broken = next((failed[n] for n in _behind(theorem, files) if n in failed), "")
            if broken:
                answers[theorem.name] = _failure(theorem, broken)
        ready = [item for item in theorems if item.name not in answers]
        return answers | ask(coqc, folder, ready, files, version)


def lay_out(folder: Path, names: Iterable[str], files: Mapping[str, str]) -> None:
    """Write files where Coq looks for them."""
    for name in names:
        file = folder / f"{name.replace('.', '/')}.v"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(files[name], "utf-8")


def _failure(theorem: Theorem, words: str) -> CoqReplay:
    return CoqReplay(asked=theorem.statement.text, failure=f"Coq refuses: {words}")


def ask(
    coqc: str, folder: Path, theorems: Sequence[Theorem], files: Mapping[str, str], version: str
) -> dict[str, CoqReplay]:
    """Return what Coq says of theorems whose files stand compiled in a folder.

    All with the same imports are put to it at once, and one by one where it refuses that.
    """
    answers: dict[str, CoqReplay] = {}
    groups: dict[tuple[str, ...], list[Theorem]] = {}
    for theorem in theorems:
        groups.setdefault(theorem.statement.imports, []).append(theorem)
    for group in groups.values():
        place = Path(tempfile.mkdtemp(prefix="asked", dir=folder))
        (place / "asked.v").write_text(question(group), "utf-8")
        failure = run(coqc, place, "asked.v", root=folder)
        if failure and len(group) > 1:
            for theorem in group:
                answers |= ask(coqc, folder, [theorem], files, version)
            continue
        for k, item in enumerate(group):
            read = _failure(item, failure) if failure else _read(place, k, item, files, version)
            answers[item.name] = read
    return answers


def question(theorems: Sequence[Theorem]) -> str:
    """Return the file that asks Coq about theorems whose statements have the same imports.

    A statement is read where only its definitions are known; the theorems come in afterwards, and
    none of their names or notations does.
    """
    lines = [_MATHCOMP]
    for name in theorems[0].statement.imports:
        path, _, last = f"Provado.{name}".rpartition(".")
        lines.append(f"From {path} Require Import {last}.")
    lines.append("Local Open Scope ring_scope.")
    for k, theorem in enumerate(theorems):
        asked = f"Definition asked : Prop := {theorem.statement.text}."
        lines += [f"Module Asked{k}.", asked, f"End Asked{k}."]
    for k, theorem in enumerate(theorems):
        path, _, last = f"Provado.{theorem.file}".rpartition(".")
        name = f"@Provado.{theorem.name}"
        lines += [
            f"From {path} Require {last}.",
            f"Definition tie{k} : Asked{k}.asked := {name}.",
            "Unset Printing All. Set Printing Width 100.",
            f'Redirect "said{k}" Check {name}.',
            "Set Printing All. Set Printing Width 1000000. Set Printing Depth 1000000.",
            f'Redirect "full{k}" Check {name}.',
            f'Redirect "asked{k}" Eval cbv delta [Asked{k}.asked] in Asked{k}.asked.',
            f'Redirect "assumes{k}" Print Assumptions tie{k}.',
        ]
    return "\n".join([*lines, ""])


def _read(
    place: Path, k: int, theorem: Theorem, files: Mapping[str, str], version: str
) -> CoqReplay:
    def answer(name: str) -> str:
        return (place / f"{name}{k}.out").read_text("utf-8")

    try:
        sentence, full, asked, assumes = map(answer, ("said", "full", "asked", "assumes"))
    except OSError as error:
        return _failure(theorem, f"it left no answer ({error})")
    used = closure(theorem.statement.imports, files)
    return CoqReplay(
        asked=theorem.statement.text,
        said=_squeezed(sentence.partition(":")[2]),
        in_full=_squeezed(full.partition(":")[2]),
        asked_in_full=_squeezed(asked.partition("=")[2].rpartition(":")[0]),
        assumptions=_axioms(assumes),
        definitions=tuple((name, digest(files[name])) for name in sorted(used)),
        coq=version,
    )


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _axioms(text: str) -> tuple[str, ...]:
    """Return the names that ``Print Assumptions`` lists; its text if that has another form."""
    lines = text.rstrip().splitlines()
    if lines == ["Closed under the global context"]:
        return ()
    if not lines or lines[0] != "Axioms:":
        return (_squeezed(text),)
    return tuple(match[1] for line in lines[1:] if (match := _AXIOM.match(line)))


def replays_of(entries: Sequence[Any], jobs: int) -> dict[str, CoqReplay]:
    """Return the replays of all theorems that entries name, from the cache where they are there."""
    theorems = [entry.theorem for entry in entries if entry.theorem is not None]
    return replay_all(theorems, jobs=jobs, cache=cache_folder())
