"""Forests and bagging on parts of the rows: trees grow where rows are, and are put together."""

from typing import Any


def has_members(estimator: Any) -> bool:
    """Tell whether the estimator is fitted member by member."""
    return False


def fit_members(estimator: Any, chunks: Any) -> Any:
    """Fit."""
    raise NotImplementedError
