"""The multi-label data sets of Mulan, in their published split."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from gramian.data import read_arff


class Split(NamedTuple):
    """Training and test rows with their labels."""

    X: np.ndarray
    Y: np.ndarray
    X_test: np.ndarray
    Y_test: np.ndarray


def load(folder: Path, name: str) -> Split:
    """Read a data set."""
    parts = []
    for part in ("train", "test"):
        table = read_arff(folder / f"{name}-{part}.arff.gz", labels=folder / f"{name}.xml")
        parts += [table.matrix(table.feature_names), table.label_matrix().astype(int)]
    return Split(*parts)
