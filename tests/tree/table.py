"""Data for the tests of trees."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd


def interactions(
    n: int, d: int, seed: int = 0, dtype: Any = np.float32
) -> tuple[npt.NDArray[Any], npt.NDArray[np.float64]]:
    """A target with interactions, noise, and columns that say nothing."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)).astype(dtype)
    y = X[:, 0] * X[:, 1] + np.sin(2 * X[:, 2]) + (X[:, 3] > 0.5) * X[:, 4] + 0.5 * X[:, 5]
    return X, (y + rng.standard_normal(n)).astype(np.float64)


def real(folder: Path, name: str, target: str) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Numeric columns of a real set, and its classes."""
    frame = pd.read_csv(folder / f"{name}.csv.gz").dropna()
    X = frame.drop(columns=target).select_dtypes("number").to_numpy(np.float32)
    return X, frame[target].to_numpy()
