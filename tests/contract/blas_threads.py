"""``python -m tests.contract.blas_threads ROWS COLUMNS TYPE``: a line with the hash of each output.

Run with several values of OPENBLAS_NUM_THREADS, which BLAS reads when it is loaded.
"""

import hashlib
import sys
import warnings
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from tests.contract.estimators import ALL, is_pairwise, needs_numbers, outputs, quick
from tests.contract.settings import examples

# All subsets of many columns are too many, and steps through many take long.
FEWER_COLUMNS = {"BestSubsetSelector": 8, "StepwiseSelector": 40}


def rows_and_target(model: Any, n: int, d: int, dtype: Any) -> tuple[Any, Any]:
    """Return overlapping groups of rows, and a target of the kind the estimator learns."""
    rng = np.random.default_rng(7)
    codes = np.arange(n) % 3
    X = rng.normal(size=(n, d)) + 0.5 * codes[:, None]
    tags = model.__sklearn_tags__()
    X = np.abs(X) if tags.input_tags.positive_only else X
    X = np.round(X) if tags.input_tags.categorical and not model.takes_categories else X
    if is_pairwise(model):
        X = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))
    y: Any = None
    if is_classifier(model):
        y = np.array(["ash", "birch", "cedar"])[codes]
    elif needs_numbers(model):
        y = X[:, 0] + rng.normal(size=n)
        y = (np.abs(y) if tags.target_tags.positive_only else y).astype(dtype)
    return X.astype(dtype), y


def main(n: int, d: int, dtype: str) -> None:
    """Print a line for each output of each estimator at each of its settings."""
    warnings.simplefilter("ignore")
    for entry in ALL:
        for i, model in enumerate(examples(entry)):
            if not type(model).__module__.startswith("gramian."):
                continue  # a kind that only the tests define, with NumPy's products
            columns = min(d, FEWER_COLUMNS.get(entry.name, d))
            X, y = rows_and_target(model, n, columns, np.dtype(dtype))
            for name, array in outputs(quick(model, iterations=5).fit(X, y), X).items():
                values = np.asarray(array)
                values = values.astype(str) if values.dtype.kind == "O" else values
                digest = hashlib.md5(np.ascontiguousarray(values).tobytes()).hexdigest()
                sys.stdout.write(f"{entry.name} {i} {name} {digest}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
