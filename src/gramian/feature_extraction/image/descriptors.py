"""Several descriptors of the same images in one vector."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Matrix


def join_descriptors(
    *parts: npt.ArrayLike,
    scale: Literal["length", "none"] = "length",
    weights: Sequence[float] | None = None,
) -> Matrix:
    """Put several descriptors of the same images side by side, so that each has its say.

    Nearest neighbours of the joined vectors retrieve images that are alike in all parts.

    Parameters
    ----------
    parts
        One descriptor for each image, shape (n, d_k); more dimensions are flattened.
    scale
        "length" divides each part of an image by its Euclidean length, so that none outweighs the
        others by its units or its number of features; "none" leaves them.
    weights
        What squared distances in each part are multiplied by; None is 1.

    Returns
    -------
    joined
        Shape (n, d_1 + d_2 + ...).

    Examples
    --------
    >>> from gramian.feature_extraction.image import join_descriptors
    >>> join_descriptors([[3.0, 4.0]], [[100.0]])
    array([[0.6, 0.8, 1. ]])
    """
    owner = "join_descriptors"
    tables = [np.asarray(part) for part in parts]
    if not tables or any(table.ndim < 2 for table in tables):
        raise DataError(f"{owner}: parts must be tables, a row for each image; got fewer axes.")
    if any(not table.size for table in tables):
        raise DataError(f"{owner}: parts must have a row and a column at least; got none.")
    tables = [table.reshape(len(table), -1) for table in tables]
    if len({len(table) for table in tables}) > 1:
        counts = ", ".join(str(len(table)) for table in tables)
        raise DataError(f"{owner}: parts must describe the same images; got {counts} rows.")
    if scale not in ("length", "none"):
        raise ParameterError(f"{owner}: scale must be 'length' or 'none'; got {scale!r}.")
    factors = np.ones(len(tables)) if weights is None else np.asarray(weights, dtype=np.float64)
    if factors.shape != (len(tables),) or not ((factors >= 0) & np.isfinite(factors)).all():
        raise ParameterError(
            f"{owner}: weights must be {len(tables)} numbers >= 0, one for each part; got "
            f"{weights!r}."
        )
    single = all(table.dtype == np.float32 for table in tables)
    scaled = []
    for table, factor in zip(tables, np.sqrt(factors), strict=True):
        numbers = table.astype(np.float64)
        if not np.isfinite(numbers).all():
            raise DataError(f"{owner}: a part contains NaN or inf; impute first.")
        if scale == "length":
            largest = np.abs(numbers).max(axis=1, keepdims=True)  # its square might overflow
            numbers = numbers / np.where(largest > 0, largest, 1.0)
            lengths = np.linalg.norm(numbers, axis=1, keepdims=True)
            numbers = numbers / np.where(lengths > 0, lengths, 1.0)
        scaled.append(factor * numbers)
    return np.hstack(scaled).astype(np.float32 if single else np.float64)
