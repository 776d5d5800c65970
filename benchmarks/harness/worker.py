"""One contender in its own process: creates the data, warms up, then runs on request.

Writes JSON lines: first ready or missing, then one measurement for every line it reads.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
import traceback
import warnings
from pathlib import Path

from benchmarks.harness.workload import workloads_of

WARM_UP_ROWS = 1_000


def main(family: str, number: int, contender: str) -> None:
    """Serve the parent until it closes the pipe."""
    replies = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # output printed by a library must not look like a reply

    def reply(**fields: object) -> None:
        replies.write(json.dumps(fields) + "\n")

    warnings.simplefilter("ignore")  # "did not converge" is expected with this max_iter
    workload = workloads_of(family)[number]
    run = workload.contenders[contender]
    try:
        data = workload.data()
        run(*workload.data(n=WARM_UP_ROWS))
    except ImportError as error:
        reply(missing=str(error))
        return
    except Exception:
        reply(error=traceback.format_exc(limit=-2))
        return
    reply(ready=True)

    quality = None
    for _ in sys.stdin:
        try:
            level = start_of_peak()
            seconds = []
            for _ in range(workload.repeat):
                begin = time.perf_counter()
                answer = run(*data)
                seconds.append(time.perf_counter() - begin)
            memory = peak() - level
            if quality is None:
                quality = float(workload.quality.judge(answer, *data))
        except Exception:
            reply(error=traceback.format_exc(limit=-2))
            return
        del answer
        reply(seconds=statistics.median(seconds), quality=quality, memory=memory)


def start_of_peak() -> int:
    """Reset the kernel's peak of resident memory; return the current level in bytes.

    Linux only (a 5 written to clear_refs). The level is that after import, data and warm-up.
    """
    Path("/proc/self/clear_refs").write_text("5")
    return status("VmRSS")


def peak() -> int:
    """Largest resident memory since the mark was reset, in bytes."""
    return status("VmHWM")


def status(field: str) -> int:
    """A memory field of /proc/self/status, in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field + ":"))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
