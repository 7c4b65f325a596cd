"""The default graph search against PC on the records and on synthetic data of the same ε.

``python -m benchmarks.discovery_rivals --write`` puts the table into
benchmarks/results/discovery_rivals.md: on the seven networks the structural Hamming distance to the
true CPDAG of the default, of ``--method pc``, of causal-learn's PC (G², level .01, max-p), and of
``pc`` on synthetic data by MST (smartnoise-synth), which is what practitioners do. MST and
causal-learn are run by the interpreter of their own environment. Exit 1 where a bar is missed.
``--keep FOLDER`` keeps what the rivals did, so that a run can go on.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from benchmarks.measure import line
from provado.mechanisms.graph_discovery.methods.pc import pc
from provado.mechanisms.graph_discovery.methods.tables import discover_from_tables
from provado.mechanisms.graph_discovery.noisy_tables.plan import plan_tables
from provado.mechanisms.graph_discovery.search.cpdag import cpdag_of
from provado.mechanisms.graph_discovery.tables.coded import CodedTable
from provado.reports.commands.reproduce.sources.networks import NETWORKS, load_network
from tests.reports.reproduce.hamming import structural_hamming

RESULTS = Path(__file__).parent / "results"
DELTA, ROWS, TOTALS, LEVEL = 1e-6, 100_000, (1.0, 10.0), 0.01

CAUSAL_LEARN = """
import sys, time, warnings
warnings.filterwarnings("ignore")
import numpy as np
from causallearn.search.ConstraintBased.PC import pc
rows = np.load(sys.argv[1])["codes"].T.astype(np.int64)
started = time.process_time()
marks = pc(rows, 0.01, "gsq", uc_rule=1, show_progress=False).G.graph
took = time.process_time() - started
np.savez(sys.argv[2], found=(marks == -1) & (abs(marks.T) == 1), seconds=took)
"""

MST = """
import sys, time, warnings
warnings.filterwarnings("ignore")
import numpy as np
from mbi import Dataset, Domain
from snsynth.mst.mst import MSTSynthesizer
given, epsilon, delta = np.load(sys.argv[1]), float(sys.argv[3]), float(sys.argv[4])
names = [f"col{i}" for i in range(len(given["levels"]))]
domain = Domain(names, given["levels"].tolist())
started = time.process_time()
made = MSTSynthesizer(epsilon=epsilon, delta=delta)
made.MST(Dataset(given["codes"].T.astype(np.int64), domain), epsilon, delta)
drawn = made.undo_compress_fn(made.synthesizer.synthetic_data(rows=given["codes"].shape[1]))
took = time.process_time() - started
np.savez(sys.argv[2], found=drawn.df[names].to_numpy().T, seconds=took)
"""


def by_rival(
    python: Path, script: str, data: CodedTable, *arguments: float
) -> tuple[NDArray[Any], float]:
    """Return what a script of another environment finds in the records, and its seconds."""
    with tempfile.TemporaryDirectory() as folder:
        given, found = Path(folder, "given.npz"), Path(folder, "found.npz")
        np.savez(given, codes=data.codes, levels=np.array(data.levels))
        command = [str(python), "-c", script, str(given), str(found), *map(str, arguments)]
        subprocess.run(command, check=True, capture_output=True)
        read = np.load(found)
        return read["found"], float(read["seconds"])


def graph_of(data: CodedTable) -> NDArray[np.bool_]:
    """Return the graph that ``pc`` finds; a constant column depends on nothing."""
    varies = [i for i, codes in enumerate(data.codes) if (codes != codes[0]).any()]
    graph = np.zeros((len(data.levels),) * 2, dtype=bool)
    if len(varies) > 1:
        names, levels = ([own[i] for i in varies] for own in (data.names, data.levels))
        kept = CodedTable(tuple(names), tuple(levels), data.codes[varies], None, data.n)
        graph[np.ix_(varies, varies)] = pc(kept, alpha=LEVEL).cpdag
    return graph


def distances(
    name: str, seed: int, python: Path, folder: Path | None, mst: bool
) -> dict[str, float]:
    """Return the distance of every search on a sample, and the seconds of PC and its yardstick.

    folder: where the distances of the rivals are kept. mst: whether MST is run; NaN otherwise.
    """
    network = load_network(name)
    true = cpdag_of(network.directed)
    data = network.sample(ROWS, np.random.default_rng([seed, ROWS]))
    started = time.process_time()
    found = {"pc": structural_hamming(pc(data, alpha=LEVEL).cpdag, true)}
    found["pc seconds"] = time.process_time() - started
    for total in TOTALS:
        plan = plan_tables(data.n, data.levels, epsilon=total, delta=DELTA)
        rng = np.random.default_rng([seed, round(total)])
        graph = discover_from_tables(data, plan=plan, rng=rng).cpdag
        found[f"tables {total:g}"] = structural_hamming(graph, true)
    file = None if folder is None else folder / f"rivals-{name}-{seed}.json"
    if file is not None and file.exists():
        return found | json.loads(file.read_text())
    graph, took = by_rival(python, CAUSAL_LEARN, data)
    rivals = {"causal-learn": structural_hamming(graph, true), "causal-learn seconds": took}
    for total in TOTALS:
        rivals[f"MST {total:g}"] = math.nan
        if not mst:
            continue
        codes, _ = by_rival(python, MST, data, total, DELTA)
        graph = graph_of(replace(data, codes=codes.astype(data.codes.dtype)))
        rivals[f"MST {total:g}"] = structural_hamming(graph, true)
    if file is not None:
        file.write_text(json.dumps(rivals))
    return found | rivals


def main() -> int:
    """Print the figures; exit 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("networks", nargs="*", default=NETWORKS, help="all by default")
    parser.add_argument("--seeds", type=int, default=5, help="samples of each")
    parser.add_argument("--rivals", type=Path, default=Path("build/rivals-discovery"))
    parser.add_argument("--keep", type=Path, help="folder where results of rivals are kept")
    parser.add_argument(
        "--without-mst", nargs="*", default=("child", "alarm"), help="networks; those of the table"
    )
    parser.add_argument("--write", action="store_true", help="write the table")
    arguments = parser.parse_args()
    python = arguments.rivals / "bin" / "python"
    shown = ("tables 1", "MST 1", "tables 10", "MST 10", "pc", "causal-learn")
    fine, rows = True, []
    for name in arguments.networks:
        with threadpool_limits(1):
            seeds = range(arguments.seeds)
            mst = name not in arguments.without_mst
            runs = [distances(name, seed, python, arguments.keep, mst) for seed in seeds]
        median = {who: float(np.median([run[who] for run in runs])) for who in runs[0]}
        fine &= line(f"{name}: pc", median["pc"], median["causal-learn"] + 1, "", least=False)
        seconds = median["pc seconds"], median["causal-learn seconds"]
        fine &= line("  seconds", *seconds, "s", least=False)
        fine &= line("  ε = 10", median["tables 10"], median["causal-learn"] + 2, "", least=False)
        for total in ("1", "10"):
            ours, theirs = median[f"tables {total}"], median[f"MST {total}"]
            if math.isnan(theirs):
                continue
            fine &= line(f"  ε = {total}, against MST", ours, theirs, "", least=False)
        cells = ["–" if math.isnan(median[who]) else f"{median[who]:g}" for who in shown] + [
            f"{s:.2g}" for s in seconds
        ]
        rows.append(f"| {name} | {len(runs)} | {' | '.join(cells)} |")
    if arguments.write:
        head = ["network", "samples", *shown, "pc, s", "causal-learn, s"]
        text = (
            "# The default graph search, PC, and PC on synthetic data\n\n"
            f"Median structural Hamming distance to the true CPDAG, {ROWS:,} rows, δ = 10⁻⁶. "
            "*tables 1*: the default at ε = 1; *MST 1*: synthetic data by MST at ε = 1, then `pc`; "
            "*pc* and *causal-learn* (G², level .01, max-p) are not private. Processor seconds of "
            "one search. –: not measured, as `pc` on synthetic data of *child* did not end in 11 "
            "processor minutes. Written by `python -m benchmarks.discovery_rivals --write`.\n\n"
        )
        lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|", *rows, ""]
        (RESULTS / "discovery_rivals.md").write_text(text + "\n".join(lines), encoding="utf-8")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
