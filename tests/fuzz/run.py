"""Tampers with model files and counts what came of it.

    tools/fuzz-models --files 100000

makes that many files from models of every estimator of the catalogue, loads each in a child
process and asks the model. It ends with an error if a file brought down the child, hung, took
more memory than there should be need for, or raised what is no ordinary error.
"""

import argparse
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

import gramian
from gramian.base.errors import MissingExtra, ModelFileError
from tests.contract.estimators import every, table
from tests.fuzz.children import BATCH, Findings, run_cases
from tests.fuzz.steps import fitted_steps


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
    return run_cases(lambda a, b: ["-m", "tests.fuzz.child", folder, seed, a, b], first, last)


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
            findings.merge(part)
            print(*part.bad, f"{findings}", sep="\n", flush=True)
    sys.exit(1 if findings.bad else 0)


if __name__ == "__main__":
    main()
