"""Lasso and elastic net for all penalties of a grid."""

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_X_y

from gramian.base.errors import ParameterError
from gramian.base.types import Table
from gramian.linear_model.lasso.lasso_base import warn_about_gap
from gramian.linear_model.lasso.sparse_problem import Path, SparseProblem, alpha_grid, check_alphas


def enet_path(
    X: Table,
    y: npt.ArrayLike,
    *,
    l1_ratio: float = 0.5,
    eps: float = 1e-3,
    alphas: int | npt.ArrayLike = 100,
    precompute: object = "auto",
    Xy: object = None,
    copy_X: bool = True,
    coef_init: npt.ArrayLike | None = None,
    verbose: object = False,
    return_n_iter: bool = False,
    positive: bool = False,
    check_input: bool = True,
    tol: float = 1e-4,
    max_iter: int = 1000,
) -> tuple[Any, ...]:
    """Solve the elastic net for every alpha of a grid, from the largest to the smallest.

    Each solution starts from the previous one. X and y are not centred: centre them to fit an
    intercept. The cost is that of `gramian.ElasticNet`.

    Parameters
    ----------
    X
        Array or sparse matrix (n, d). Fortran order and CSC are used without a copy.
    y
        Targets, (n,) or (n, targets).
    l1_ratio
        Fraction of the l1 penalty; 1 is the lasso.
    eps
        Ratio of the smallest alpha of the grid to the largest.
    alphas
        Number of alphas, or the alphas themselves in any order.
    precompute, Xy, copy_X, verbose, check_input
        Ignored; present for scikit-learn compatibility.
    coef_init
        Initial coefficients, (d,).
    return_n_iter
        Whether to return the numbers of cycles too.
    positive
        Whether to require coefficients >= 0.
    tol
        Stop when the duality gap is at most `tol` times |y|^2 / n.
    max_iter
        Maximum number of coordinate descent cycles.

    Returns
    -------
    alphas, coefs, dual_gaps[, n_iters]
        (k,), (d, k) or (targets, d, k), (k,) or (targets, k), and as many numbers of cycles.

    Examples
    --------
    >>> from gramian.linear_model import enet_path
    >>> X, y = [[1.0, 0.0], [0.0, 2.0]], [2.0, 1.0]
    >>> alphas, coefs, gaps = enet_path(X, y, l1_ratio=1.0, alphas=3)
    >>> alphas.round(4), coefs.round(3)[:, -1]
    (array([1.    , 0.0316, 0.001 ]), array([1.998, 0.499]))
    """
    del precompute, Xy, copy_X, verbose, check_input  # scikit-learn's
    checked = check_X_y(
        X,
        y,
        accept_sparse="csc",
        dtype=[np.float64, np.float32],
        order="F",
        multi_output=True,
        y_numeric=True,
    )
    table, targets = checked[0], np.asarray(checked[1], dtype=np.float64)
    if not 0 <= l1_ratio <= 1:
        raise ParameterError(f"enet_path: l1_ratio must be in [0, 1]; got {l1_ratio!r}.")
    problem = SparseProblem(table, None, centre=False)
    columns = [np.ascontiguousarray(c) for c in targets.reshape(len(targets), -1).T]
    if np.ndim(alphas) == 0:
        l1_max = max(problem.l1_max(c, positive=bool(positive)) for c in columns)
        penalties = alpha_grid("enet_path", l1_max, l1_ratio, int(np.asarray(alphas)), eps)
    else:
        penalties = check_alphas("enet_path", alphas)
    start = None if coef_init is None else np.asarray(coef_init, dtype=np.float64)
    paths = [
        problem.path(
            column,
            penalties * l1_ratio,
            penalties * (1 - l1_ratio),
            positive=positive,
            tol=tol,
            max_iter=max_iter,
            start=start,
        )
        for column in columns
    ]
    worst = max(float(path.gaps.max()) for path in paths)
    if not all(path.converged.all() for path in paths):
        warn_about_gap("enet_path", worst, max_iter)
    found = [_stacked(paths, name, targets.ndim) for name in ("coef", "gaps", "n_iter")]
    coefs = np.swapaxes(found[0], -1, -2).astype(table.dtype, copy=False)
    return (penalties, coefs, *found[1:]) if return_n_iter else (penalties, coefs, found[1])


def lasso_path(
    X: Table,
    y: npt.ArrayLike,
    *,
    eps: float = 1e-3,
    alphas: int | npt.ArrayLike = 100,
    precompute: object = "auto",
    Xy: object = None,
    copy_X: bool = True,
    coef_init: npt.ArrayLike | None = None,
    verbose: object = False,
    return_n_iter: bool = False,
    positive: bool = False,
    tol: float = 1e-4,
    max_iter: int = 1000,
) -> tuple[Any, ...]:
    """Solve the lasso for every alpha of a grid: `enet_path` with ``l1_ratio=1``.

    Parameters
    ----------
    X, y, eps, alphas, coef_init, return_n_iter, positive, tol, max_iter
        As for `enet_path`.
    precompute, Xy, copy_X, verbose
        Ignored; present for scikit-learn compatibility.

    Returns
    -------
    alphas, coefs, dual_gaps[, n_iters]
        As for `enet_path`.

    Examples
    --------
    >>> from gramian.linear_model import lasso_path
    >>> alphas, coefs, gaps = lasso_path([[1.0, 0.0], [0.0, 2.0]], [2.0, 1.0], alphas=[0.1, 0.5])
    >>> alphas, coefs.round(3)
    (array([0.5, 0.1]), array([[1.  , 1.8 ],
           [0.25, 0.45]]))
    """
    del precompute, Xy, copy_X, verbose  # scikit-learn's
    return enet_path(
        X,
        y,
        l1_ratio=1.0,
        eps=eps,
        alphas=alphas,
        coef_init=coef_init,
        return_n_iter=return_n_iter,
        positive=positive,
        tol=tol,
        max_iter=max_iter,
    )


def _stacked(paths: list[Path], name: str, dimensions: int) -> Any:
    values = [getattr(path, name) for path in paths]
    return values[0] if dimensions == 1 else np.stack(values)
