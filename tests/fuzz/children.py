"""Cases run in child processes, one after the other, so that a crash ends the child alone."""

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

BATCH = 2500  # cases of a child
WAIT = 10  # seconds of waiting allowed for each second of processor time


@dataclass
class Findings:
    """How many cases ended in which way; `bad` names those that must not end so."""

    noun: str = "file"
    counts: Counter[str] = field(default_factory=Counter)
    bad: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        ways = ", ".join(f"{count} {came}" for came, count in self.counts.most_common())
        return f"{self.counts.total()} {self.noun}s, {len(self.bad)} of them bad: {ways}"

    def add(self, number: int, model: str, came: str) -> None:
        """Count one case."""
        self.counts[came.removeprefix("!").partition(":")[0]] += 1
        if came.startswith("!"):
            self.bad.append(f"{self.noun} {number}, of {model}: {came[1:]}")

    def merge(self, other: "Findings") -> None:
        """Add the findings of further cases."""
        self.counts += other.counts
        self.bad += other.bad


def limit_time(seconds: int) -> None:
    """End this process after so many seconds of processor time from now, also in native code.

    Other processes do not count: only one that waits, for a lock or for nothing, is ended by the
    clock, after ten times as long. 0 ends the limit.
    """
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.alarm(WAIT * seconds)


def run_cases(
    command: Callable[[int, int], list[Any]], first: int, last: int, noun: str = "file"
) -> Findings:
    """Run cases first .. last - 1; `command` is that of a child for a range of cases."""
    findings = Findings(noun)
    while first < last:
        for number, model, came in _of_child(command, first, min(first + BATCH, last)):
            findings.add(number, model, came)
            first = number + 1
    return findings


def _of_child(
    command: Callable[[int, int], list[Any]], first: int, last: int
) -> Iterator[tuple[int, str, str]]:
    """Yield number, model and outcome of each case until the child has ended."""
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "GRAMIAN_NUM_THREADS"), "1")
    with subprocess.Popen(
        [sys.executable, *map(str, command(first, last))],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **threads},
    ) as child:
        assert child.stdout is not None
        in_a_case = False
        for line in child.stdout:
            number, _, model = line.strip().partition(" ")
            came = child.stdout.readline().strip()
            in_a_case = not came
            yield int(number), model, came or f"!{_death(child.wait())}"
            first = int(number) + 1
    if not in_a_case and (child.returncode != 0 or first < last):
        raise RuntimeError(
            f"the child ended with {child.returncode} outside a case, before {first}"
        )


def _death(code: int) -> str:
    """Say how a child ended in the midst of a case."""
    if code in (-signal.SIGALRM, -signal.SIGPROF):
        return "hung"
    return f"crashed: {signal.Signals(-code).name if code < 0 else f'exit {code}'}"
