"""Detection of other programs that use the processors; between rounds our processes are idle."""

from __future__ import annotations

import time
from pathlib import Path

SETTLE = 0.05  # seconds; idle OpenMP threads of the last process spin for a while
SAMPLE = 0.1  # seconds of one measurement
QUIET = 0.1  # fraction of the processors that other programs may use


def wait_for_quiet(patience: float) -> float:
    """Wait until other programs are idle, up to a time limit; return the fraction they use."""
    end = time.monotonic() + patience
    time.sleep(SETTLE)
    while (share := busy_share()) > QUIET and time.monotonic() < end:
        time.sleep(SAMPLE)
    return share


def busy_share() -> float:
    """Fraction of all processors that was not idle during a short interval."""
    idle_before, all_before = ticks()
    time.sleep(SAMPLE)
    idle_after, all_after = ticks()
    return 1 - (idle_after - idle_before) / max(all_after - all_before, 1)


def ticks() -> tuple[int, int]:
    """Clock ticks of all processors since boot: idle ones, and all."""
    counts = [int(n) for n in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return counts[3] + counts[4], sum(counts)
