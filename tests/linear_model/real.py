"""Real data of the course, as arrays."""

import csv
import gzip

import numpy as np


def real(folder, name):
    """Columns that hold numbers as X, the last column as labels."""
    with gzip.open(folder / f"{name}.csv.gz", "rt") as file:
        rows = list(csv.reader(file))[1:]
    table = np.array(rows)
    return np.ascontiguousarray(table[:, :-1].astype(float)), table[:, -1]
