"""Real tables for naive Bayes, discriminants and mixtures."""

import gzip
from pathlib import Path

import numpy as np
import pandas as pd

from gramian.data import read_arff


def table(folder: Path, name: str) -> tuple:
    """Return the numeric columns and the last column, the label."""
    with gzip.open(folder / f"{name}.csv.gz", "rt") as file:
        frame = pd.read_csv(file)
    return frame.iloc[:, :-1].to_numpy(np.float64), frame.iloc[:, -1].to_numpy(str)


def categories(folder: Path, name: str) -> tuple:
    """Return a frame of categories, some missing, and the label."""
    with gzip.open(folder / f"{name}.csv.gz", "rt") as file:
        frame = pd.read_csv(file, dtype=str)
    return frame.iloc[:, :-1].astype("category"), frame.iloc[:, -1].to_numpy(str)


def documents(folder: Path, part: str) -> tuple:
    """Return the texts of Reuters' articles, and whether they are about corn."""
    read = read_arff(folder / f"ReutersCorn-{part}.arff.gz")
    text, codes = read.columns
    return text.tolist(), codes
