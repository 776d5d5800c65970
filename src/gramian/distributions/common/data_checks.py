"""Check the data and weights that a distribution is fitted to."""

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs.weights import check_sample_weight
from gramian.base.types import Floats, Weights

_NAMED_ROWS = 5
LARGEST_COUNT = 10**8  # maximum count for families that tabulate counts


def check_numbers(
    owner: str, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None
) -> tuple[Floats, Weights | None]:
    """Return data of shape (n,) and its weights."""
    return _check(owner, data, sample_weight, 1, "one number per event, shape (n,)")


def check_vectors(
    owner: str, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None
) -> tuple[Floats, Weights | None]:
    """Return data of shape (n, d) and its weights."""
    return _check(owner, data, sample_weight, 2, "one row per event, shape (n, d)")


def check_matrices(
    owner: str, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None
) -> tuple[Floats, Weights | None]:
    """Return data of shape (n, d, d) and its weights."""
    return _check(owner, data, sample_weight, 3, "one square matrix per event, shape (n, d, d)")


def check_counts(
    owner: str, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None, most: float = np.inf
) -> tuple[Floats, Weights | None]:
    """Return data of shape (n,) that are the integers 0, 1, ..., `most`, and its weights."""
    x, weights = check_numbers(owner, data, sample_weight)
    range_ = "integers >= 0" if most == np.inf else f"integers from 0 to {int(most)}"
    check_support(owner, x, is_count(x) & (x <= most), range_)
    return x, weights


def check_tabulated(owner: str, n: int) -> int:
    """Return n, or raise if it is too large for a table of the counts 0, ..., n."""
    if n > LARGEST_COUNT:
        raise ParameterError(
            f"{owner}.fit: n must be at most {LARGEST_COUNT}, because the fit tabulates the "
            f"counts 0 to n; got {n}. Fit a beta or Dirichlet distribution to x / n, which is "
            "close to the truth for large n."
        )
    return n


def is_count(x: Floats) -> npt.NDArray[np.bool_]:
    """Return which numbers are 0, 1, 2, ..."""
    return np.asarray((x >= 0) & (x == np.floor(x)) & np.isfinite(x))


def check_support(owner: str, x: Floats, inside: npt.NDArray[np.bool_], support: str) -> None:
    """Raise unless all events are in the support; report the first rows that are not."""
    if inside.all():
        return
    per_row = inside.reshape(len(inside), -1).all(axis=1)
    bad = np.flatnonzero(~per_row)
    first = bad[:_NAMED_ROWS]
    more = f" and {len(bad) - len(first)} more" if len(bad) > len(first) else ""
    rows = ", ".join(map(str, first.tolist()))
    raise DataError(
        f"{owner}: events must be {support}; got {x[first[0]].tolist()!r} "
        f"(row{'s' if len(bad) > 1 else ''} {rows}{more}). Correct or drop these events."
    )


def _check(
    owner: str, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None, ndim: int, words: str
) -> tuple[Floats, Weights | None]:
    try:
        x = np.asarray(data)
        x = np.ascontiguousarray(x, dtype=np.float64) if x.ndim else x
    except (TypeError, ValueError):
        raise DataError(f"{owner}: data must be numbers; got {type(data).__name__}.") from None
    if x.ndim != ndim:
        raise DataError(f"{owner}: data must have {words}; got shape {x.shape}.")
    check_support(owner, x, np.isfinite(x), "finite numbers")
    return x, check_sample_weight(owner, sample_weight, len(x)) if len(x) else None
