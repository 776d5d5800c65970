"""Run workloads: every contender in a fresh process, interleaved round by round."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.harness.quiet import wait_for_quiet
from benchmarks.harness.workload import OURS, REFERENCE, Workload

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
THREADS = 2
LONG_ENOUGH = 45.0  # seconds of timed work after which a workload stops before its last round


@dataclass
class Outcome:
    """Outcome of one contender: seconds per round, quality and peak memory, or an error."""

    contender: str
    seconds: list[float] = field(default_factory=list)
    quality: float | None = None
    memory: int | None = None
    missing: str = ""
    error: str = ""
    agrees: bool = False

    @property
    def best(self) -> float:
        """Minimum seconds over all rounds."""
        return min(self.seconds)

    @property
    def median(self) -> float:
        """Median seconds over all rounds."""
        return statistics.median(self.seconds)


@dataclass
class Result:
    """One workload with the outcome of every contender, ours first."""

    family: str
    name: str
    dtype: str
    quality: str
    aim: float
    why: str
    flops: float | None
    copy: int  # bytes of one float32 copy of the data
    busy: (
        float  # mean fraction of the processors that other programs used just before a measurement
    )
    outcomes: list[Outcome]

    @property
    def ours(self) -> Outcome | None:
        """Our outcome if it was timed and agrees."""
        return next((o for o in self.outcomes if o.contender == OURS and o.agrees), None)

    @property
    def peers(self) -> list[Outcome]:
        """Outcomes of other libraries that agree; `gramian, ...` is ours with another setting."""
        other = [o for o in self.outcomes if not f"{o.contender}, ".startswith(f"{OURS}, ")]
        return [o for o in other if o.agrees]

    @property
    def best_peer(self) -> Outcome | None:
        """The fastest peer whose answer agrees."""
        return min(self.peers, key=lambda o: o.best, default=None)

    @property
    def ratio(self) -> float | None:
        """Time of the best peer over ours: above one we are faster."""
        if self.ours is None or self.best_peer is None:
            return None
        return self.best_peer.best / self.ours.best

    @property
    def memory_allowed(self) -> float | None:
        """The leanest peer's peak plus 20 % or one float32 copy of X, whichever is larger."""
        peers = [o.memory for o in self.peers]
        return max(1.2 * min(peers), min(peers) + self.copy) if peers else None


def run(
    family: str,
    number: int,
    workload: Workload,
    *,
    rounds: int = 5,
    contenders: list[str] | None = None,
    patience: float = 0.0,
) -> Result:
    """Time a workload; outcomes keep the order of its contenders."""
    names = [c for c in workload.contenders if contenders is None or c in contenders]
    outcomes = [Outcome(name) for name in names]
    workers = [Worker(family, number, name) for name in names]
    try:
        for outcome, worker in zip(outcomes, workers, strict=True):
            note(outcome, worker.listen())
        order = list(zip(outcomes, workers, strict=True))
        shares = []
        for _ in range(rounds):
            for outcome, worker in order:
                done = outcome.contender in workload.once and outcome.seconds
                if not (outcome.missing or outcome.error or done):
                    shares.append(wait_for_quiet(patience))
                    note(outcome, worker.ask())
            order.reverse()  # shuffled so that no contender always runs after the same one
            if timed([o for o in outcomes if o.contender not in workload.once]) > LONG_ENOUGH:
                break
    finally:
        for worker in workers:
            worker.close()
    judge(workload, outcomes)
    X = workload.data()[0]
    return Result(
        family=family,
        name=workload.name,
        dtype=workload.dtype,
        quality=workload.quality.name,
        aim=workload.aim,
        why=workload.why,
        flops=workload.flops,
        copy=4 * X.size,
        busy=round(statistics.mean(shares), 3) if shares else 0.0,
        outcomes=outcomes,
    )


def timed(outcomes: list[Outcome]) -> float:
    """Seconds measured so far."""
    return sum(sum(outcome.seconds) for outcome in outcomes)


def note(outcome: Outcome, reply: dict[str, Any]) -> None:
    """Record a worker's reply; memory and quality are those of the first round."""
    outcome.missing = reply.get("missing", "")
    outcome.error = reply.get("error", "")
    if "seconds" in reply:
        outcome.seconds.append(reply["seconds"])
        if outcome.quality is None:
            outcome.quality, outcome.memory = reply["quality"], reply["memory"]


def judge(workload: Workload, outcomes: list[Outcome]) -> None:
    """Count a time only if the answer agrees with the reference."""
    done = [o for o in outcomes if o.quality is not None and not o.error]
    if not done:
        return
    reference = next((o for o in done if o.contender == REFERENCE), done[0])
    for outcome in done:
        outcome.agrees = workload.quality.accepts(outcome.quality, reference.quality)


def as_json(result: Result) -> dict[str, Any]:
    """A result as plain data; `from_json` reads it back."""
    return asdict(result)


def from_json(fields: dict[str, Any]) -> Result:
    """A result from plain data."""
    return Result(**fields | {"outcomes": [Outcome(**o) for o in fields["outcomes"]]})


class Worker:
    """The parent's end of the pipe to one contender's process."""

    def __init__(self, family: str, number: int, contender: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.harness.worker", family, str(number), contender],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=environment(THREADS),
        )

    def ask(self) -> dict[str, Any]:
        """Request one measurement."""
        try:
            self.process.stdin.write("run\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return {"error": "the process ended"}
        return self.listen()

    def listen(self) -> dict[str, Any]:
        """Return the next reply; a dead process is an error of its contender."""
        line = self.process.stdout.readline()
        if not line:
            return {"error": f"the process ended with status {self.process.wait()}"}
        reply: dict[str, Any] = json.loads(line)
        return reply

    def close(self) -> None:
        """End the process."""
        self.process.stdin.close()
        self.process.stdout.close()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def environment(threads: int) -> dict[str, str]:
    """The caller's environment with every known thread pool set to the same size."""
    pools = ["GRAMIAN", "OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR"]
    return os.environ | {f"{pool}_NUM_THREADS": str(threads) for pool in pools}


def run_all(
    chosen: list[tuple[str, int, Workload]],
    *,
    rounds: int,
    contenders: list[str] | None,
    patience: float,
    report: Callable[[str], None],
) -> list[Result]:
    """Run the chosen workloads one after the other."""
    results = []
    for place, (family, number, workload) in enumerate(chosen, 1):
        report(f"[{place}/{len(chosen)}] {workload.name} ({workload.dtype})")
        results.append(
            run(
                family,
                number,
                workload,
                rounds=rounds,
                contenders=contenders,
                patience=patience,
            )
        )
    return results
