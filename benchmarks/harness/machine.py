"""Description of the machine: processor, memory, versions and peak rates. No names, no paths."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.harness.run import ROOT, THREADS, environment

PACKAGES = [
    "gramian",
    "numpy",
    "scipy",
    "scikit-learn",
    "scikit-learn-intelex",
    "scikit-image",
    "pyamg",
    "faiss-cpu",
    "pykdtree",
    "lightgbm",
    "xgboost-cpu",
    "catboost",
    "snapml",
]


def describe() -> dict[str, Any]:
    """The machine and the software, as plain data."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gb": round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e9),
        "system": platform.system(),
        "python": platform.python_version(),
        "threads": THREADS,
        "versions": {name: found for name in PACKAGES if (found := version_of(name))},
    }


def processor() -> str:
    """The processor's model name, with its widest vector instruction set."""
    lines = dict(
        (part.strip() for part in line.split(":", 1))
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if ":" in line
    )
    flags = lines.get("flags", "").split()
    vectors = next(
        (v for v in ("avx512f", "avx2", "sse4_2") if v in flags), "unknown vector instruction set"
    )
    return f"{lines.get('model name', platform.machine())} ({vectors})"


def version_of(package: str) -> str | None:
    """An installed package's version; ours also when it is run from the source tree."""
    try:
        return version(package)
    except PackageNotFoundError:
        if package != "gramian":
            return None
    try:
        import gramian
    except ImportError:
        return None
    return gramian.__version__


def roof() -> dict[str, dict[str, float]]:
    """GFLOP/s of matrix products and GB/s of a streaming add, with one thread and with all."""
    return {
        f"{threads} threads" if threads > 1 else "1 thread": json.loads(
            subprocess.check_output(
                [sys.executable, "-m", "benchmarks.harness.roof"],
                cwd=ROOT,
                env=environment(threads),
            )
        )
        for threads in (1, THREADS)
    }
