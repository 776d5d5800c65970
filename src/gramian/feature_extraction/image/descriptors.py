"""Join several descriptors of the same images."""

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
    """Join several descriptors of the same images, with comparable influence of each.

    Nearest neighbours of the joined vectors are images that are similar in all parts.

    Parameters
    ----------
    parts
        One descriptor for each image, shape (n, d_k); more dimensions are flattened.
    scale
        "length" divides each part of an image by its Euclidean length, so that units and numbers of
        features have no effect; "none" leaves them unchanged.
    weights
        Factors of the squared distances in each part; None means 1.

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
        raise DataError(
            f"{owner}: parts must be arrays with one row per image; got fewer dimensions."
        )
    if any(not table.size for table in tables):
        raise DataError(f"{owner}: parts must have at least one row and one column; got none.")
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
        values = table.astype(np.float64)
        if not np.isfinite(values).all():
            raise DataError(
                f"{owner}: parts must be finite; got NaN or inf. Impute or drop these values."
            )
        if scale == "length":
            largest = np.abs(values).max(axis=1, keepdims=True)  # avoids overflow of squares
            values = values / np.where(largest > 0, largest, 1.0)
            lengths = np.linalg.norm(values, axis=1, keepdims=True)
            values = values / np.where(lengths > 0, lengths, 1.0)
        scaled.append(factor * values)
    return np.hstack(scaled).astype(np.float32 if single else np.float64)
