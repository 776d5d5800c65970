"""Whether anybody else uses the processors: between rounds all of ours are asleep."""

from __future__ import annotations

import time
from pathlib import Path

SETTLE = 0.05  # seconds; idle OpenMP threads of the process that ran last spin for a while
SAMPLE = 0.1  # seconds of looking
QUIET = 0.1  # share of the processors that others may use


def wait_for_quiet(patience: float) -> float:
    """Wait until others rest, at most some seconds; return the share they used at the end."""
    end = time.monotonic() + patience
    time.sleep(SETTLE)
    while (share := busy_share()) > QUIET and time.monotonic() < end:
        time.sleep(SAMPLE)
    return share


def busy_share() -> float:
    """Share of all processors that was not idle during a short while."""
    idle_before, all_before = ticks()
    time.sleep(SAMPLE)
    idle_after, all_after = ticks()
    return 1 - (idle_after - idle_before) / max(all_after - all_before, 1)


def ticks() -> tuple[int, int]:
    """Clock ticks of all processors since boot: idle ones, and all."""
    counts = [int(n) for n in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return counts[3] + counts[4], sum(counts)
