"""Workloads: data, contenders that do the same work on them, and a measure of quality."""

from __future__ import annotations

import importlib
import math
import pkgutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import benchmarks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

OURS = "gramian"
REFERENCE = "scikit-learn"


@dataclass(frozen=True)
class Quality:
    """How good an answer is: ``judge(answer, *data)``, the same code for every contender.

    ``agree`` is the relative difference from scikit-learn's answer that still counts as the same.
    ``better`` is the direction in which a larger difference is an improvement; "neither" when the
    answer is unique, as for exact neighbours, where a lower sum would be a mistake too.
    """

    name: str
    judge: Callable[..., float]
    better: Literal["lower", "higher", "neither"]
    agree: float

    def accepts(self, value: float, reference: float) -> bool:
        """Whether an answer of this quality may be timed against the reference's."""
        if not math.isfinite(value):
            return False
        worse = (value - reference) / max(abs(reference), 1e-300)
        if self.better == "lower":
            return worse <= self.agree
        if self.better == "higher":
            return worse >= -self.agree
        return abs(worse) <= self.agree


@dataclass(frozen=True)
class Workload:
    """One row group of the table.

    ``data(n=...)`` makes the arguments of every contender (a smaller ``n`` for the warm-up); a
    contender imports its library, does the whole job and returns the answer. ``aim`` is the
    least ratio of the best peer's time to ours that we ask for, ``flops`` the arithmetic of the
    plain method (so that a time can be read as a fraction of the roof), ``repeat`` how often one
    measurement calls the contender (its median then counts), ``once`` the slow peers that are
    timed in the first round only, ``why`` the reason to print when the aim is missed.
    """

    name: str
    dtype: str
    data: Callable[..., tuple[Any, ...]]
    contenders: Mapping[str, Callable[..., Any]]
    quality: Quality
    aim: float
    flops: float | None = None
    repeat: int = 1
    once: tuple[str, ...] = ()
    why: str = ""


def families() -> list[str]:
    """Names of the files that hold workloads."""
    found = pkgutil.iter_modules(benchmarks.__path__)
    return sorted(m.name for m in found if not m.ispkg and not m.name.startswith("_"))


def workloads_of(family: str) -> list[Workload]:
    """The workloads of one file, in order; none for a stand-alone program."""
    workloads: list[Workload]
    workloads = getattr(importlib.import_module(f"benchmarks.{family}"), "WORKLOADS", [])
    return workloads
