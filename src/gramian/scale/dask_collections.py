"""Dask arrays and frames as delayed chunks."""

from typing import Any

import numpy as np

from gramian.base.errors import DataError, need


def is_dask(data: Any) -> bool:
    """Return whether an object is a Dask array or frame, without importing Dask."""
    return hasattr(data, "__dask_graph__") and data.__dask_graph__() is not None


def delayed_chunks(X: Any, y: Any, sample_weight: Any) -> tuple[list[Any], list[int] | None]:
    """Return one delayed (X, y, sample_weight) per block of rows, and their sizes if known."""
    dask = need("dask", extra="dask")
    sizes = _sizes(X)
    tables = row_blocks(X)
    columns = []
    for name, collection in (("y", y), ("sample_weight", sample_weight)):
        if collection is None:
            columns.append([None] * len(tables))
            continue
        columns.append(row_blocks(_aligned(name, collection, sizes)))
        if len(columns[-1]) != len(tables):
            raise DataError(
                f"scale.fit: {name} has {len(columns[-1])} partitions and X has {len(tables)}; "
                f"use the same partitions, for example with {name}.rechunk or repartition."
            )
    chunk = dask.delayed(_chunk, pure=True)
    parts = [chunk(*each) for each in zip(tables, *columns, strict=True)]
    return parts, sizes


def _chunk(X: Any, y: Any, weights: Any) -> Any:
    return X, y, weights


def _sizes(X: Any) -> list[int] | None:
    chunks = getattr(X, "chunks", None)
    if chunks is None or any(np.isnan(n) for n in chunks[0]):
        return None
    return [int(n) for n in chunks[0]]


def row_blocks(data: Any) -> list[Any]:
    """Return one delayed block per group of rows."""
    if not hasattr(data, "chunks"):  # a frame or a series
        return list(data.to_delayed())
    if data.ndim == 2 and data.numblocks[1] > 1:
        data = data.rechunk({1: -1})
    return list(np.asarray(data.to_delayed(), dtype=object).reshape(len(data.chunks[0]), -1)[:, 0])


def _aligned(name: str, collection: Any, sizes: list[int] | None) -> Any:
    """Return y or the weights as a collection with the partitions of X."""
    if is_dask(collection):
        theirs = _sizes(collection)
        if sizes is not None and theirs is not None and theirs != sizes:
            if sum(theirs) != sum(sizes):
                raise DataError(
                    f"scale.fit: {name} has {sum(theirs)} rows but X has {sum(sizes)} rows; give "
                    "one per row."
                )
            return collection.rechunk({0: tuple(sizes)})
        return collection
    if sizes is None:
        raise DataError(
            f"scale.fit: {name} must be a Dask array or frame partitioned like X, because the "
            f"partition sizes of X are not known; got {type(collection).__name__}."
        )
    values = np.asarray(collection)
    if len(values) != sum(sizes):
        raise DataError(
            f"scale.fit: {name} has {len(values)} rows but X has {sum(sizes)} rows; pass one per "
            "row."
        )
    array = need("dask.array", extra="dask")
    return array.from_array(values, chunks=(tuple(sizes), *values.shape[1:]))
