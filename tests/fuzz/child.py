"""Loads tampered files and asks the models, one file after the other, and says what came of each.

Run by `tests.fuzz.run` in a process of its own, so that a crash ends this one alone.
"""

import resource
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError

import gramian
from gramian.base.catalogue import ESTIMATORS
from gramian.base.errors import DataError, ModelFileError, ParameterError
from tests.fuzz.children import limit_time
from tests.fuzz.mutations import pick, tamper

ROOM = 3 * 2**30  # bytes of address space beyond what the process has at its start
PATIENCE = 120  # seconds of processor time for one file
METHODS = ("predict", "predict_proba", "decision_function", "score_samples", "transform",
           "kneighbors", "radius_neighbors")  # fmt: skip
ORDINARY = (DataError, ParameterError, ModelFileError, NotFittedError)  # each says what to do


def about_rows(error: BaseException) -> bool:
    """Whether an error says what is wrong with the rows: ours, or one that scikit-learn raises."""
    if isinstance(error, ORDINARY):
        return True
    where = traceback.extract_tb(error.__traceback__)[-1]
    checked = "/sklearn/" in where.filename and (where.line or "").startswith("raise ValueError")
    return type(error) is ValueError and checked


def outcome(path: Path, X: Any) -> str:
    """Load a file and ask the model; say "refused", "answered" or what was raised."""
    try:
        model = gramian.load(path)
    except ModelFileError:
        return "refused"
    except BaseException as error:
        return f"!load raised {type(error).__name__}"
    result_text = "answered"
    for method in METHODS:
        for queries in (X, None):
            if queries is None and "neighbors" not in method:
                continue
            try:
                if hasattr(model, method):
                    getattr(model, method)(queries)
            except BaseException as error:
                if not about_rows(error):
                    return f"!{method} raised {type(error).__name__}: {error!s:.60}"
                result_text = f"raised {type(error).__name__}"
    return result_text


def main(folder: Path, seed: int, first: int, last: int) -> None:
    """Go through the files of numbers first .. last - 1."""
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    for entry in ESTIMATORS:  # what the first file would import is not its time
        entry.resolve()
    seeds = sorted(folder.glob("*.gram"))
    path = folder / f"tampered-{first}-{last}.bin"
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + ROOM, used + ROOM))
    for number in range(first, last):
        draw = np.random.default_rng([seed, number])
        model = pick(draw, seeds)
        tamper(draw, model, path)
        print(number, model.stem, flush=True)
        limit_time(PATIENCE)
        print(outcome(path, np.load(model.with_suffix(".npy"))).replace("\n", " "), flush=True)
    path.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
