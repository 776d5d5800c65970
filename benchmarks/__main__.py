"""``python -m benchmarks [family ...]``: one table of ours against the peers."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.harness import machine, table
from benchmarks.harness.run import ROOT, as_json, from_json, run_all
from benchmarks.harness.workload import OURS, families, workloads_of

STUDIED = ROOT / "docs" / "tables.json"  # written by benchmarks.tables_study


def main() -> int:
    """Run what was asked for; status 1 if an answer of ours was wrong or a contender failed."""
    options = arguments()
    record = json.loads(options.read.read_text()) if options.read else measure(options)
    results = [from_json(result) for result in record["results"]]
    print(table.text(results))
    print("\n".join(["", *table.heading(record), *table.notes(results, record["roof"])]))
    if options.json:
        options.json.write_text(json.dumps(record, indent=1) + "\n")
    if options.markdown:
        studied = json.loads(STUDIED.read_text()) if STUDIED.exists() else None
        options.markdown.write_text(table.markdown(record, studied))
    outcomes = [outcome for result in results for outcome in result.outcomes]
    wrong = [o for o in outcomes if o.contender == OURS and o.seconds and not o.agrees]
    return 1 if wrong or any(o.error for o in outcomes) else 0


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Everything that was measured, as plain data."""
    chosen = [
        (family, number, workload)
        for family in options.family or families()
        for number, workload in enumerate(workloads_of(family))
        if options.match in f"{workload.name} {workload.dtype}"
    ]
    record = {"machine": machine.describe(), "roof": {} if options.no_roof else machine.roof()}
    record["results"] = [
        as_json(result)
        for result in run_all(
            chosen,
            rounds=options.rounds,
            contenders=options.contenders,
            patience=options.patience,
            report=lambda line: print(line, file=sys.stderr, flush=True),
        )
    ]
    return record


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    known = ", ".join(families())
    parser.add_argument("family", nargs="*", help=f"any of {known}; default all")
    parser.add_argument("--match", default="", help="only workloads whose name or dtype has this")
    parser.add_argument("--contenders", nargs="+", help="only these, for example gramian faiss")
    parser.add_argument("--rounds", type=int, default=5, help="rounds per workload (default 5)")
    parser.add_argument(
        "--patience", type=float, default=5.0, help="seconds to wait for an idle machine each time"
    )
    parser.add_argument("--no-roof", action="store_true", help="do not measure the machine")
    parser.add_argument("--read", type=Path, help="measure nothing, read this file of --json")
    parser.add_argument("--json", type=Path, help="write all figures to this file")
    parser.add_argument("--markdown", type=Path, help="write the table as a page to this file")
    options = parser.parse_args()
    if unknown := set(options.family) - set(families()):
        parser.error(f"no such family: {', '.join(sorted(unknown))}; there is {known}")
    return options


if __name__ == "__main__":
    sys.exit(main())
