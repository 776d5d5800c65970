"""``python -m benchmarks.user_scripts [name ...]``: seconds and scores, plain and accelerated.

Each script is run by ``python script.py`` and by ``python -m gramian.accelerate script.py``, in
turn, and the fastest of the rounds counts, imports included. The last line of a script is its
score. Ends with 1 where an accelerated score is lower by more than `TOLERANCE`: forests and
searches draw other random numbers.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.harness import machine

HERE = Path(__file__).parent
TOLERANCE = 0.005


def scripts() -> list[str]:
    """Names of the scripts."""
    return sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_"))


def run(name: str, *, accelerated: bool) -> tuple[float, float]:
    """Run one script; return its seconds and its score."""
    through = ["-m", "gramian.accelerate"] if accelerated else []
    command = [sys.executable, "-W", "ignore", *through, str(HERE / f"{name}.py")]
    start = perf_counter()
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = perf_counter() - start
    if ended.returncode:
        raise SystemExit(f"{name}: {ended.stderr}")
    word, score = ended.stdout.splitlines()[-1].split()
    assert word == "score"
    return seconds, float(score)


def measure(name: str, rounds: int) -> dict[str, Any]:
    """Run a script both ways, in turn."""
    plain = [run(name, accelerated=False)]
    ours = [run(name, accelerated=True)]
    for _ in range(rounds - 1):
        plain.append(run(name, accelerated=False))
        ours.append(run(name, accelerated=True))
    what = (HERE / f"{name}.py").read_text(encoding="utf-8").partition('"""')[2].partition('"""')[0]
    return {
        "script": name,
        "what": what,
        "seconds": [min(plain)[0], min(ours)[0]],
        "score": [plain[0][1], ours[0][1]],
    }


def main() -> int:
    """Run what was asked for and print a table; `--json` stores it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.user_scripts")
    parser.add_argument("names", nargs="*", help="scripts; all if left out")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--json", type=Path, help="where to store the record")
    given = parser.parse_args()
    results = []
    for name in given.names or scripts():
        results.append(measure(name, given.rounds))
        (plain, ours), (before, after) = results[-1]["seconds"], results[-1]["score"]
        print(f"{name:16} {plain:7.1f} s {ours:7.1f} s {before:.4f} {after:.4f}", flush=True)
        if given.json:
            record = {"machine": machine.describe(), "results": results}
            given.json.write_text(json.dumps(record, indent=1) + "\n")
    return int(any(r["score"][1] < r["score"][0] - TOLERANCE for r in results))


if __name__ == "__main__":
    sys.exit(main())
