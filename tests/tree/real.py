"""The textbook tables of C4.5, and what Weka 3.6's J48 makes of them."""

import csv
import gzip
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from gramian.data import read_arff


class Published(NamedTuple):
    """Leaves and size of J48's tree on all rows; mean and deviation of ten 10-fold runs."""

    leaves: int
    size: int
    accuracy: float | None = None
    deviation: float | None = None


J48: dict[str, dict[str | None, Published]] = {
    "labor": {
        "pessimistic": Published(3, 5, 78.8, 3.3),
        None: Published(13, 22, 79.3, 3.0),
        "reduced_error": Published(4, 7, 80.4, 3.7),
    },
    "vote": {
        "pessimistic": Published(6, 11, 96.6, 0.2),
        None: Published(19, 37, 95.8, 0.5),
        "reduced_error": Published(5, 9, 95.7, 0.6),
    },
    "soybean": {
        "pessimistic": Published(61, 93, 91.8, 0.8),
        None: Published(121, 175, 90.7, 0.9),
        "reduced_error": Published(87, 120, 88.0, 0.8),
    },
    "pimaindiansdiabetes": {
        "pessimistic": Published(20, 39, 74.5, 0.9),
        None: Published(22, 43, 73.9, 1.1),
        "reduced_error": Published(8, 15, 73.6, 1.0),
    },
    "glass": {
        "pessimistic": Published(30, 59, 67.6, 2.6),
        None: Published(30, 59, 67.8, 2.6),
        "reduced_error": Published(14, 27, 67.8, 2.3),
    },
    "weather.nominal": {"pessimistic": Published(5, 8), None: Published(5, 8)},
    "contact-lenses": {
        "pessimistic": Published(4, 7, 83.7, 1.3),
        None: Published(4, 7, 75.0, 4.4),
        "reduced_error": Published(3, 5, 81.2, 5.6),
    },
}


def load(folder: Path, name: str) -> tuple[Any, Any]:
    """Return a frame of the inputs and an array of the classes, the last column."""
    if (folder / f"{name}.arff.gz").exists():
        frame = read_arff(folder / f"{name}.arff.gz").to_pandas()
    else:
        with gzip.open(folder / f"{name}.csv.gz", "rt") as file:
            header, *rows = csv.reader(file)
        frame = pd.DataFrame(rows, columns=header)
        numbers = frame.columns[:-1]
        frame[numbers] = frame[numbers].astype(float)
    return frame.iloc[:, :-1], np.asarray(frame.iloc[:, -1], dtype=str)
