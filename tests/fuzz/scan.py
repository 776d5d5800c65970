"""Calls every estimator with bad input or drawn settings and counts what came of it.

    tools/fuzz-calls bad-input --cases 40000
    tools/fuzz-calls random-settings --cases 10000

makes that many calls, in child processes. It ends with an error if one of them ended a child,
hung, raised an error that names no estimator or uses the words of another library, or gave NaN,
infinity or a RuntimeWarning in place of an answer.
"""

import argparse
import sys

from tests.fuzz.call_child import SCANS
from tests.fuzz.children import BATCH, Findings, run_cases


def run(scan: str, first: int, last: int, seed: int = 0) -> Findings:
    """Make the calls of numbers first .. last - 1, in children."""
    return run_cases(
        lambda a, b: ["-m", "tests.fuzz.call_child", scan, seed, a, b], first, last, "call"
    )


def main() -> None:
    """Make the calls asked for and print the counts."""
    parser = argparse.ArgumentParser(prog="tools/fuzz-calls", description=__doc__)
    parser.add_argument("scan", choices=sorted(SCANS), help="what is drawn")
    parser.add_argument("--cases", type=int, default=10_000, help="how many")
    parser.add_argument("--first", type=int, default=0, help="number of the first")
    parser.add_argument("--seed", type=int, default=0, help="of all that is drawn")
    chosen = parser.parse_args()
    findings = Findings("call")
    end = chosen.first + chosen.cases
    for first in range(chosen.first, end, BATCH):
        part = run(chosen.scan, first, min(first + BATCH, end), chosen.seed)
        findings.merge(part)
        print(*part.bad, f"{findings}", sep="\n", flush=True)
    sys.exit(1 if findings.bad else 0)


if __name__ == "__main__":
    main()
