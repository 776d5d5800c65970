"""Tampers with model files and counts what came of it.

    tools/fuzz-models --files 100000

makes that many files from models of every estimator of the catalogue, loads each in a child
process and asks the model. It ends with an error if a file brought down the child, hung, took
more memory than there should be need for, or raised what is no ordinary error.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import gramian
from gramian.base.errors import MissingExtra, ModelFileError
from tests.contract.estimators import every, table
from tests.fuzz.steps import fitted_steps

BATCH = 2500  # files of a child


@dataclass
class Findings:
    """How many files ended in which way; `bad` names those that must not end so."""

    counts: Counter[str] = field(default_factory=Counter)
    bad: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        ways = ", ".join(f"{count} {came}" for came, count in self.counts.most_common())
        return f"{self.counts.total()} files, {len(self.bad)} of them bad: {ways}"

    def add(self, number: int, model: str, came: str) -> None:
        """Count one file."""
        self.counts[came.removeprefix("!").partition(":")[0]] += 1
        if came.startswith("!"):
            self.bad.append(f"file {number}, of {model}: {came[1:]}")


def write_seeds(folder: Path, *, first_only: bool) -> None:
    """Fit every estimator of the catalogue and steps of scikit-learn, and save them with X."""
    for param in every():
        name = str(param.id)
        if first_only and not (name.endswith("-0") or "Neighbors" in name):
            continue
        model = param.values[0]
        X, y = table(model)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                model.fit(X, y)
            except MissingExtra:  # PyTorch
                continue
        try:
            gramian.save(model, folder / f"{name}.gram")
        except ModelFileError:  # a function among the parameters, or not of the catalogue
            continue
        np.save(folder / f"{name}.npy", X)
    for name, model, X in fitted_steps():
        gramian.save(model, folder / f"{name}.gram")
        np.save(folder / f"{name}.npy", X)


def run(folder: Path, first: int, last: int, seed: int = 0) -> Findings:
    """Tamper with files of numbers first .. last - 1, in children."""
    findings = Findings()
    while first < last:
        for number, model, came in _of_child(folder, seed, first, min(first + BATCH, last)):
            findings.add(number, model, came)
            first = number + 1
    return findings


def _of_child(folder: Path, seed: int, first: int, last: int) -> Iterator[tuple[int, str, str]]:
    """Yield number, model and outcome of each file until the child has ended."""
    command = [sys.executable, "-m", "tests.fuzz.child", folder, seed, first, last]
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "GRAMIAN_NUM_THREADS"), "1")
    with subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, text=True, env={**os.environ, **threads}
    ) as child:
        assert child.stdout is not None
        in_a_file = False
        for line in child.stdout:
            number, model = line.split()
            came = child.stdout.readline().strip()
            in_a_file = not came
            yield int(number), model, came or f"!{_death(child.wait())}"
            first = int(number) + 1
    if not in_a_file and (child.returncode != 0 or first < last):
        raise RuntimeError(
            f"the child ended with {child.returncode} outside a file, before {first}"
        )


def _death(code: int) -> str:
    """Say how a child ended in the midst of a file."""
    if code == -signal.SIGALRM:
        return "hung"
    return f"crashed: {signal.Signals(-code).name if code < 0 else f'exit {code}'}"


def main() -> None:
    """Run the files asked for and print the counts."""
    parser = argparse.ArgumentParser(prog="tools/fuzz-models", description=__doc__)
    parser.add_argument("--files", type=int, default=100_000, help="how many")
    parser.add_argument("--first", type=int, default=0, help="number of the first")
    parser.add_argument("--seed", type=int, default=0, help="of all that is drawn")
    chosen = parser.parse_args()
    findings = Findings()
    with tempfile.TemporaryDirectory() as folder:
        write_seeds(Path(folder), first_only=False)
        end = chosen.first + chosen.files
        for first in range(chosen.first, end, BATCH):
            part = run(Path(folder), first, min(first + BATCH, end), chosen.seed)
            findings.counts += part.counts
            findings.bad += part.bad
            print(*part.bad, f"{findings}", sep="\n", flush=True)
    sys.exit(1 if findings.bad else 0)


if __name__ == "__main__":
    main()
