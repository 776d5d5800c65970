"""Fit, predict and score in chunks in this process, or on the workers of Dask."""

from collections.abc import Callable, Iterator
from functools import partial, reduce
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError, ParameterError, need
from gramian.base.models import Model
from gramian.base.rows.parts import add
from gramian.base.types import Floats, FloatVector, Mask
from gramian.scale.dask_collections import delayed_chunks, is_dask
from gramian.scale.dask_parts import DaskParts, check_versions
from gramian.scale.members import fit_members, has_members
from gramian.scale.table_chunks import TableChunks
from gramian.scale.table_part import TablePart

_NOTHING = object()
_Chunk: TypeAlias = tuple[Any, Any, Any]  # X, y, sample_weight
_Errors: TypeAlias = tuple[float, Floats, Floats, Floats]  # weight, mean, scatter, squared errors


def fit(
    estimator: Any, X: Any, y: Any = None, *, sample_weight: Any = None, client: Any = None
) -> Any:
    """Fit an estimator to data larger than memory, or on a cluster.

    The passes over the rows are those of the estimator's `fit_chunks`. Each runs on the workers
    that have the rows, and only sums are sent. The result equals that of `fit` in memory, up to
    rounding, and is identical for any number of workers. Each member of a forest or of
    bagging is fitted to one part of the rows.

    Parameters
    ----------
    estimator
        An estimator in the table of the guide "When your data grow".
    X
        A Dask array or frame, or the result of `chunks`.
    y
        Targets, with the partitions of X; not allowed with `chunks`, which has its own.
    sample_weight
        Weights, with the partitions of X; not allowed with `chunks`.
    client
        A ``distributed.Client``. None uses the current client if there is one; otherwise Dask's own
        scheduler for its collections, and this process for `chunks`.

    Returns
    -------
    estimator
        The same object, fitted.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import LinearRegression, scale
    >>> table = np.arange(12.0).reshape(6, 2)
    >>> scale.fit(LinearRegression(), scale.chunks(table, 1, rows=2)).coef_.round(6).tolist()
    [1.0]
    """
    if isinstance(estimator, type):
        raise ParameterError(
            f"scale.fit: estimator must be an object; got the class. Pass {estimator.__name__}()."
        )
    client = current_client() if client is None else client
    chunks = chunks_of(X, y, sample_weight, client)
    if has_members(estimator):
        return fit_members(estimator, chunks)
    if not hasattr(estimator, "fit_chunks"):
        raise ParameterError(
            f"scale.fit: {type(estimator).__name__} cannot be trained in chunks; it needs all rows "
            "in memory. Fit it to a sample, or choose an estimator from the table in the guide "
            "'When your data grow'."
        )
    return estimator.fit_chunks(chunks)


def predict(model: Any, X: Any, *, method: str = "predict", client: Any = None) -> Any:
    """Predict rows lazily, block by block.

    Parameters
    ----------
    model
        A fitted estimator.
    X
        A Dask array or frame, or the result of `chunks`.
    method
        "predict", "predict_proba", "decision_function", "transform", "score_samples", ...
    client
        Predict chunks on this client; None uses the current client, or this process.

    Returns
    -------
    predictions
        A Dask array of the same rows; for `chunks` an iterator with one array per chunk.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import LinearRegression, scale
    >>> pieces = scale.chunks(np.arange(12.0).reshape(6, 2), 1, rows=4)
    >>> model = scale.fit(LinearRegression(), pieces)
    >>> [part.round(6).tolist() for part in scale.predict(model, pieces)]
    [[1.0, 3.0, 5.0, 7.0], [9.0, 11.0]]
    """
    check_is_fitted(model)
    if not hasattr(model, method):
        raise ParameterError(f"scale.predict: {type(model).__name__} has no {method}.")
    call = partial(_predict_block, method=method)
    if isinstance(X, TableChunks):
        return _predict_chunks(model, X, call, current_client() if client is None else client)
    if not is_dask(X):
        raise DataError(
            "scale.predict: X must be a Dask array or frame, or the result of scale.chunks; got "
            f"{type(X).__name__}. Use the model's own {method}."
        )
    dask = need("dask", extra="dask")
    model = dask.delayed(model, traverse=False)
    if not hasattr(X, "chunks"):
        like = call(X.head(1, npartitions=-1), model=model.compute())
        array = X.map_partitions(_as_array, call, model, meta=np.empty(like.shape, like.dtype))
        return array if hasattr(array, "compute") else array.to_dask_array()
    if X.ndim == 2 and X.numblocks[1] > 1:
        X = X.rechunk({1: -1})
    like = call(np.zeros((1, X.shape[1]), dtype=X.dtype), model=model.compute())
    shape: dict[str, Any] = {"drop_axis": 1}
    if like.ndim == 2:
        shape = {"chunks": (X.chunks[0], (like.shape[1],))}
    return X.map_blocks(call, model=model, dtype=like.dtype, meta=like[:0], **shape)


def score(
    model: Any, X: Any, y: Any = None, *, sample_weight: Any = None, client: Any = None
) -> float:
    """Score a model from sums over blocks of rows.

    Parameters
    ----------
    model
        A fitted estimator. The score is the accuracy for a classifier, R^2 for a regressor, and the
        mean of `score_samples` for others.
    X, y, sample_weight
        As for `fit`.
    client
        As for `fit`.

    Returns
    -------
    score : float
        The same as ``model.score`` in memory, up to rounding.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import LinearRegression, scale
    >>> pieces = scale.chunks(np.arange(12.0).reshape(6, 2), 1, rows=4)
    >>> scale.score(scale.fit(LinearRegression(), pieces), pieces)
    1.0
    """
    check_is_fitted(model)
    client = current_client() if client is None else client
    chunks = chunks_of(X, y, sample_weight, client)
    supervised = is_classifier(model) or is_regressor(model)
    if supervised and (not X.has_target if isinstance(X, TableChunks) else y is None):
        raise DataError("scale.score: the target is missing; pass y, or name it in scale.chunks.")
    if is_classifier(model):
        weight, right = total(chunks, partial(_right, model))
        return float(right / weight)
    if is_regressor(model) and not hasattr(model, "score_samples"):
        weight, mean, squares, errors = total(chunks, partial(_errors, model), _merge_errors)
        del weight, mean
        with np.errstate(divide="ignore", invalid="ignore"):
            r2 = np.where(squares > 0, 1 - errors / squares, np.where(errors > 0, 0.0, 1.0))
        return float(np.mean(r2))
    if hasattr(model, "score_samples"):
        weight, density = total(chunks, partial(_log_density, model))
        return float(density / weight)
    raise ParameterError(
        f"scale.score: {type(model).__name__} has no score that is a mean over rows; compute a "
        "score from scale.predict."
    )


def current_client() -> Any:
    """Return the client that is set as the default, or None."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        return None
    try:
        return distributed.default_client()
    except ValueError:
        return None


def chunks_of(X: Any, y: Any, sample_weight: Any, client: Any) -> Any:
    """Return the argument for `fit_chunks`: parts on Dask, or chunks read by this process."""
    if client is not None and not hasattr(client, "scheduler_info"):
        raise ParameterError(
            f"scale: client must be a distributed.Client; got {client!r}. Make one from an "
            "address: Client(address)."
        )
    if isinstance(X, TableChunks):
        if y is not None or sample_weight is not None:
            raise ParameterError(
                "scale.fit: chunks have their own targets and weights; name them in scale.chunks."
            )
        if client is None:
            return X
        return DaskParts([TablePart(X, j) for j in range(X.n_parts)], X.sizes, client)
    if not is_dask(X):
        raise DataError(
            "scale.fit: X must be a Dask array or frame, or the result of scale.chunks; got "
            f"{type(X).__name__}. Use the estimator's own fit, or scale.chunks(X, y)."
        )
    return DaskParts(*delayed_chunks(X, y, sample_weight), client)


def _predict_chunks(
    model: Any, chunks: TableChunks, call: Callable[..., Any], client: Any
) -> Iterator[Any]:
    if client is None:
        return (call(chunks.read(part)[0], model=model) for part in range(chunks.n_parts))
    check_versions(client)
    sent = client.scatter(model, broadcast=True)
    parts = [TablePart(chunks, part) for part in range(chunks.n_parts)]
    futures = client.map(partial(_predict_part, call), parts, model=sent, pure=False)
    return (future.result() for future in futures)


def _predict_part(call: Callable[..., Any], part: TablePart, *, model: Any) -> Any:
    return call(part.read()[0], model=model)


def _predict_block(X: Any, *, model: Any, method: str) -> Any:
    return np.asarray(getattr(model, method)(X))


def _as_array(X: Any, call: Callable[..., Any], model: Any) -> Any:
    return call(X, model=model)


# Scores


def total(chunks: Any, step: Callable[[Any], Any], merge: Callable[..., Any] = add) -> Any:
    """Make one pass with a step that takes one chunk, ``(X, y, sample_weight)``."""
    if isinstance(chunks, TableChunks):
        found = (step(chunk) for chunk in chunks if len(chunk[0]))
        first = next(found, _NOTHING)
        if first is _NOTHING:
            raise DataError("scale: the chunks must contain at least one row; got none.")
        return reduce(merge, found, first)
    return chunks.total(partial(_over_chunks, step, merge), merge)


def _over_chunks(
    step: Callable[[Any], Any], merge: Callable[..., Any], chunks: list[Any], *_: int
) -> Any:
    return reduce(merge, (step(chunk) for chunk in chunks))


def _weights(chunk: _Chunk) -> FloatVector:
    X, _, weights = chunk
    return np.ones(np.shape(X)[0]) if weights is None else np.asarray(weights, dtype=float)


def _right(model: Model, chunk: _Chunk) -> tuple[float, float]:
    omega = _weights(chunk)
    if not len(omega):
        return 0.0, 0.0
    is_right: Mask = model.predict(chunk[0]) == np.asarray(chunk[1])
    return float(omega.sum()), float(omega[is_right].sum())


def _log_density(model: Any, chunk: _Chunk) -> tuple[float, float]:
    omega = _weights(chunk)
    if not len(omega):
        return 0.0, 0.0
    found: FloatVector = np.asarray(model.score_samples(chunk[0]), dtype=float)
    return float(omega.sum()), float(omega @ found)


def _errors(model: Model, chunk: _Chunk) -> _Errors:
    """Return the weight, mean and scatter of y and the squared errors, per target."""
    omega = _weights(chunk)
    y: Floats = np.asarray(chunk[1], dtype=float).reshape(len(omega), -1)
    weight = float(omega.sum())
    if not weight > 0:
        zeros = np.zeros(y.shape[1])
        return 0.0, zeros, zeros, zeros
    left: Floats = y - np.asarray(model.predict(chunk[0]), dtype=float).reshape(y.shape)
    mean: Floats = omega @ y / weight
    return weight, mean, omega @ (y - mean) ** 2, omega @ left**2


def _merge_errors(left: _Errors, right: _Errors) -> _Errors:
    """Merge means and scatters (Chan, Golub and LeVeque 1979)."""
    weight = left[0] + right[0]
    part = right[0] / weight if weight > 0 else 0.0
    away = right[1] - left[1]
    squares = left[2] + right[2] + left[0] * part * away**2
    return weight, left[1] + part * away, squares, left[3] + right[3]
