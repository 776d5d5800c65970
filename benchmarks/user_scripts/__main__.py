"""``python -m benchmarks.user_scripts [name ...]``: seconds and scores, plain and accelerated.

Each script is run by ``python script.py`` and by ``python -m gramian.accelerate script.py``, in
turn, and the fastest of the rounds counts, imports included: seconds, and those of all processors.
gramian's modules are compiled before, as pip compiles those of an installed package.
``--busy``, for a machine with other work, gives both one thread, since threads that wait for each
other use their processors, and stores the latter alone. The last line of a script is its
score. Forests and searches draw other random numbers: ``--seeds 5`` runs each script with five
seeds for its data and models instead, both ways, and stores the scores. Ends with 1 where an
accelerated score is lower by more than `TOLERANCE`, with seeds where their mean is.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import gramian
from benchmarks.harness import machine

HERE = Path(__file__).parent
TOLERANCE = 0.005


def scripts() -> list[str]:
    """Names of the scripts."""
    return sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_"))


def source(name: str) -> str:
    """Text of a script."""
    return (HERE / f"{name}.py").read_text(encoding="utf-8")


def with_seed(text: str, seed: int) -> str:
    """Return a script whose data and models are drawn with another seed."""
    return re.sub(r"(random_state=|default_rng\()0\b", rf"\g<1>{seed}", text)


class Run(NamedTuple):
    """Seconds of a script, those of all processors, and its score."""

    seconds: float
    processor: float
    score: float


def run(script: Path, *, accelerated: bool, threads: int | None = None) -> Run:
    """Run one script, with all threads or so many."""
    launcher = ["-m", "gramian.accelerate"] if accelerated else []
    command = [sys.executable, "-W", "ignore", *launcher, str(script)]
    start, before = perf_counter(), processor_time()
    limit = {"OMP_NUM_THREADS": str(threads)} if threads else {}
    ended = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | limit
    )
    seconds, processor = perf_counter() - start, processor_time() - before
    if ended.returncode:
        raise SystemExit(f"{script.stem}: {ended.stderr}")
    word, score = ended.stdout.splitlines()[-1].split()
    assert word == "score"
    return Run(seconds, processor, float(score))


def processor_time() -> float:
    """Return the processor time of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def both(script: Path, threads: int | None = None) -> list[Run]:
    """Run one script plain and accelerated."""
    return [run(script, accelerated=ours, threads=threads) for ours in (False, True)]


def measure(name: str, rounds: int, *, busy: bool) -> dict[str, Any]:
    """Run a script both ways, in turn."""
    threads = 1 if busy else None
    ways = list(zip(*(both(HERE / f"{name}.py", threads) for _ in range(rounds)), strict=True))
    found = {
        "script": name,
        "what": source(name).partition('"""')[2].partition('"""')[0],
        "seconds": [min(r.seconds for r in runs) for runs in ways],
        "processor": [min(r.processor for r in runs) for runs in ways],
        "score": [runs[0].score for runs in ways],
    }
    if busy:
        del found["seconds"]
    return found


def scores_by_seed(name: str, seeds: int) -> list[list[float]]:
    """Return the scores, plain and accelerated, with each seed."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(seeds):
            script = Path(folder, f"{name}.py")
            script.write_text(with_seed(source(name), seed), encoding="utf-8")
            found.append([each.score for each in both(script)])
    return found


def is_lower(result: dict[str, Any]) -> bool:
    """Whether the accelerated score is lower than rounding and random numbers explain."""
    pairs = result["seeds"] if "seeds" in result else [result["score"]]
    return statistics.mean(ours - plain for plain, ours in pairs) < -TOLERANCE


def main() -> int:
    """Run what was asked for and print a table; `--json` stores it beside what is there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.user_scripts")
    parser.add_argument("names", nargs="*", help="scripts; all if left out")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--busy", action="store_true", help="store processor seconds only")
    parser.add_argument("--seeds", type=int, help="scores with so many seeds, not seconds")
    parser.add_argument("--json", type=Path, help="where to store the record")
    options = parser.parse_args()
    stored = {}
    if options.json and options.json.exists():
        stored = {r["script"]: r for r in json.loads(options.json.read_text())["results"]}
    compileall.compile_dir(str(Path(gramian.__file__).parent), quiet=2)
    for name in options.names or scripts():
        kept = stored.get(name, {"script": name})
        if options.seeds:
            stored[name] = kept | {"seeds": scores_by_seed(name, options.seeds)}
            print(name, *stored[name]["seeds"], flush=True)
        else:
            found = measure(name, options.rounds, busy=options.busy)
            print(name, found.get("seconds"), found["processor"], found["score"], flush=True)
            stored[name] = kept | found
        if options.json:
            results = [stored[name] for name in sorted(stored)]
            record = {"machine": machine.describe(), "results": results}
            options.json.write_text(json.dumps(record, indent=1) + "\n")
    return int(any(is_lower(stored[name]) for name in options.names or scripts()))


if __name__ == "__main__":
    sys.exit(main())
