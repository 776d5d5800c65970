"""Level sets of decision functions: points on a line, curves in the plane."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from gramian.base.errors import DataError, ParameterError, need
from gramian.base.types import Floats


def level_set(
    f: Callable[[Any], Any],
    limits: Sequence[Any],
    *,
    level: float = 0.0,
    resolution: int | None = None,
) -> Any:
    """Return {x: f(x) = level}; at level 0 it is the decision boundary of f.

    Parameters
    ----------
    f
        A decision function of an array: of numbers (n,) on a line, of rows (n, 2) in the plane. For
        example a classifier's `decision_function`, or a probability with level 0.5.
    limits
        (low, high) on a line, or ((low, high), (low, high)) in the plane.
    level
        The value.
    resolution
        Points per axis of the grid that is searched for sign changes; None means 2001 on a line,
        200 in the plane. Two crossings between neighbouring points are missed.

    Returns
    -------
    array of shape (k,), or list of arrays (m, 2)
        On a line, the sorted crossings to full precision. In the plane, curves as points
        interpolated on the grid.

    Examples
    --------
    >>> from gramian.textbook.decisions import level_set
    >>> level_set(lambda x: x**2 - 2, (-3.0, 3.0)).round(6)
    array([-1.414214,  1.414214])
    >>> (circle,) = level_set(lambda x: (x**2).sum(axis=1), [(-2, 2), (-2, 2)], level=1.0)
    >>> bool(np.allclose(np.hypot(*circle.T), 1, atol=1e-3))
    True
    """
    box = np.asarray(limits, dtype=np.float64)
    if box.shape not in ((2,), (2, 2)) or not np.isfinite(box).all():
        raise ParameterError(
            "level_set: limits must be (low, high) or ((low, high), (low, high)), finite; got "
            f"{limits!r}."
        )
    if not (box[..., 0] < box[..., 1]).all():
        raise ParameterError(f"level_set: each low must be below its high; got {limits!r}.")
    count = resolution if resolution is not None else (2001 if box.ndim == 1 else 200)
    if not (isinstance(count, int | np.integer) and count >= 2):
        raise ParameterError(f"level_set: resolution must be an integer >= 2; got {resolution!r}.")
    if box.ndim == 1:
        return crossings(lambda x: _values(f, x) - level, np.linspace(box[0], box[1], int(count)))
    across, up = (np.linspace(low, high, int(count)) for low, high in box)
    grid = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
    heights = _values(f, grid).reshape(len(up), len(across))
    contourpy = need("contourpy", extra="plot")
    lines = contourpy.contour_generator(across, up, heights).lines(level)
    return [np.asarray(line) for line in lines]


def crossings(f: Callable[[Any], Any], points: Floats) -> Floats:
    """Return the sign changes of f, by Brent's method between neighbouring points."""
    values = f(points)
    found = list(points[values == 0])
    signs = np.sign(values)
    for i in np.flatnonzero(signs[:-1] * signs[1:] < 0):
        low, high = points[i], points[i + 1]
        precision = 4 * np.finfo(float).eps
        root = brentq(lambda x: float(f(np.array([x]))[0]), low, high, xtol=1e-300, rtol=precision)
        found.append(root)
    return np.unique(np.array(found, dtype=np.float64))


def _values(f: Callable[[Any], Any], x: Floats) -> npt.NDArray[Any]:
    values = np.asarray(f(x), dtype=np.float64)
    if values.shape != (len(x),) or np.isnan(values).any():
        raise DataError(
            f"level_set: f must return one number for each of {len(x)} points, not NaN; got shape "
            f"{values.shape}."
        )
    return values
