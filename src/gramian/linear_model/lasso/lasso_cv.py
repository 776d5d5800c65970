"""Lasso and elastic net with the penalty chosen by cross-validation."""

from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import ParameterError
from gramian.base.fields import (
    KW_ONLY,
    Array,
    Count,
    Fraction,
    Jobs,
    NonNegative,
    NonNegativeInt,
    Positive,
    Seed,
    check_params,
    params,
)
from gramian.base.folds import Splits, check_splits
from gramian.base.gate import check_fit, check_size
from gramian.base.moments import Vector
from gramian.base.targets import check_targets
from gramian.base.threads import threads_for
from gramian.base.types import Matrix
from gramian.base.weights import check_weights, unit_weights
from gramian.linear_model.common.linear_regressor import LinearRegressor
from gramian.linear_model.lasso.lasso_base import warn_of_gap
from gramian.linear_model.lasso.lasso_folds import Folds
from gramian.linear_model.lasso.sparse_problem import MOST, SparseProblem, check_alphas, grid


class ShrunkenRegressorCV(CallbackSupportMixin, LinearRegressor):
    """Chooses the strength, and the share of the l1 penalty, by the error on held-out rows.

    Callbacks see every path; when one asks to stop, the choice is among the shares done.
    """

    alphas: Any
    eps: float
    fit_intercept: bool
    max_iter: int
    tol: float
    cv: Any
    n_jobs: int | None
    positive: bool

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags

    def _choose(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None,
        ratios: Vector,
    ) -> tuple[Matrix, Matrix, float]:
        """Fit at the best pair; return errors (ratios, alphas, folds), alphas, the best ratio.

        Of fewer ratios where a callback asked to stop.
        """
        name = type(self).__name__
        table = check_fit(self, X, any_order=True)
        targets = np.asarray(check_targets(self, y, table.shape[0]), dtype=np.float64)
        weights = unit_weights(check_weights(self, sample_weight, table.shape[0]))
        check_size(self, "X", table, MOST)
        check_size(self, "y", targets, MOST)
        splits = check_splits(name, self.cv, table, targets, classifier=False)
        settings: dict[str, Any] = {
            "positive": bool(self.positive),
            "tol": self.tol,
            "max_iter": self.max_iter,
        }
        with threads_for(self.n_jobs):
            centre = bool(self.fit_intercept)
            folds = Folds(table, targets, weights, splits, centre=centre)
            whole = SparseProblem(table, weights, centre=centre)
            if folds.total is not None:
                whole.take(targets, folds.total)
            alphas = np.array([self._grid(name, whole, targets, ratio) for ratio in ratios])
            task = Task.of(self, steps=None, X=X, y=y)
            found, stop = [], False

            def path_done() -> None:
                nonlocal stop  # steps=None: there is no model to score yet
                stop |= task.part("path", steps=None).done(dict)

            for ratio, penalties in zip(ratios, alphas, strict=True):
                l1, l2 = penalties * ratio, penalties * (1 - ratio)
                found.append(folds.errors(l1, l2, path_done, **settings))
                if stop:
                    break
            errors, alphas, ratios = np.array(found), alphas[: len(found)], ratios[: len(found)]
            mass = [len(out) if weights is None else weights[out].sum() for _, out in splits]
            mean = np.average(errors, axis=2, weights=mass)
            best, at = np.unravel_index(np.argmin(mean), mean.shape)
            alpha, ratio = alphas[best, at], ratios[best]
            path = whole.path(targets, alpha * ratio, alpha * (1 - ratio), **settings)
        self._set_model(path.coef, path.intercept, table.dtype, one_target=True)
        task.done(lambda: {"coef_": self.coef_, "intercept_": self.intercept_})
        self.alpha_ = float(alpha)
        self.dual_gap_, self.n_iter_ = float(path.gaps[0]), int(path.n_iter[0])
        if not path.converged.all():
            warn_of_gap(name, self.dual_gap_, self.max_iter, stacklevel=3)
        return errors, alphas, float(ratio)

    def _grid(self, name: str, problem: SparseProblem, y: Vector, ratio: float) -> Vector:
        if np.ndim(self.alphas) == 0:
            return grid(problem.largest(y), ratio, int(self.alphas), self.eps)
        return check_alphas(name, self.alphas)


@params
class LassoCV(ShrunkenRegressorCV):
    """Lasso with alpha chosen by cross-validation.

    The paths of all folds are made over one grid; on a tall table their Gram matrices are
    differences, so the rows are read once. The model is fitted to all rows at the alpha whose
    mean squared error over all held-out rows is least (Hastie, Tibshirani and Friedman 2009, 7.10):
    a fold counts by its weight. scikit-learn's counts folds alike where no weights are given.

    Parameters
    ----------
    eps
        Least alpha of the grid, as a part of the largest.
    alphas
        How many, or the penalties themselves in any order.
    fit_intercept
        Whether there is an intercept b, which is not penalised.
    precompute
        The way is chosen by shape; kept so that scikit-learn's calls work.
    max_iter
        Cycles of coordinate descent at most.
    tol
        Stop where the duality gap is at most this part of sum_i w_i (y_i - mean)^2 / W.
    copy_X
        Nothing is ever overwritten; kept so that scikit-learn's calls work.
    cv
        Folds or a splitter; None: 5 folds.
    verbose
        Nothing is printed; kept so that scikit-learn's calls work.
    n_jobs
        Threads; the answer does not depend on it.
    positive
        Whether to require coefficients >= 0.
    random_state
        Nothing is drawn; kept so that scikit-learn's calls work.
    selection
        Kept so that scikit-learn's calls work.

    Attributes
    ----------
    alpha_ : float
        The alpha chosen.
    alphas_ : array (k,)
        The grid, from the largest to the least.
    mse_path_ : array (k, folds)
        Mean squared errors on the held-out rows.
    coef_ : array (d,)
        The coefficients at alpha_, from all rows.
    intercept_ : float
        The intercept.
    dual_gap_ : float
        How far the cost at alpha_ may lie above its minimum, at most.
    n_iter_ : int
        Cycles made at alpha_.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import LassoCV
    >>> X = np.random.default_rng(0).normal(size=(60, 5))
    >>> model = LassoCV(cv=3, tol=1e-9).fit(X, X[:, 0])
    >>> model.coef_.round(2).tolist()
    [1.0, 0.0, 0.0, 0.0, 0.0]
    """

    _: KW_ONLY
    eps: Positive = 1e-3
    alphas: Count | Array = 100
    fit_intercept: bool = True
    precompute: bool | Literal["auto"] | Array = "auto"
    max_iter: Count = 1000
    tol: NonNegative = 1e-4
    copy_X: bool = True  # noqa: N815 - scikit-learn's name
    cv: Splits = None
    verbose: bool | NonNegativeInt = False
    n_jobs: Jobs = None
    positive: bool = False
    random_state: Seed = None
    selection: Literal["cyclic", "random"] = "cyclic"

    @with_callbacks
    def fit(
        self, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Self:
        """Choose alpha and fit.

        Parameters
        ----------
        X
            Array or sparse matrix (n, d).
        y
            Targets (n,).
        sample_weight
            Weights >= 0 of the rows, for fitting and for the errors.

        Returns
        -------
        self
        """
        errors, alphas, _ = self._choose(X, y, sample_weight, np.ones(1))
        self.mse_path_, self.alphas_ = errors[0], alphas[0]
        return self


@params
class ElasticNetCV(ShrunkenRegressorCV):
    """Elastic net with alpha and l1_ratio chosen by cross-validation, as `LassoCV` does.

    Parameters
    ----------
    l1_ratio
        Share of the l1 penalty, or several to choose from.
    eps
        Least alpha of the grid, as a part of the largest.
    alphas
        How many, or the penalties themselves in any order.
    fit_intercept
        Whether there is an intercept b, which is not penalised.
    precompute
        The way is chosen by shape; kept so that scikit-learn's calls work.
    max_iter
        Cycles of coordinate descent at most.
    tol
        Stop where the duality gap is at most this part of sum_i w_i (y_i - mean)^2 / W.
    cv
        Folds or a splitter; None: 5 folds.
    copy_X
        Nothing is ever overwritten; kept so that scikit-learn's calls work.
    verbose
        Nothing is printed; kept so that scikit-learn's calls work.
    n_jobs
        Threads; the answer does not depend on it.
    positive
        Whether to require coefficients >= 0.
    random_state
        Nothing is drawn; kept so that scikit-learn's calls work.
    selection
        Kept so that scikit-learn's calls work.

    Attributes
    ----------
    alpha_ : float
        The alpha chosen.
    l1_ratio_ : float
        The l1_ratio chosen.
    alphas_ : array (k,) or (ratios, k)
        The grids, from the largest to the least.
    mse_path_ : array (k, folds) or (ratios, k, folds)
        Mean squared errors on the held-out rows.
    coef_ : array (d,)
        The coefficients at the pair chosen, from all rows.
    intercept_ : float
        The intercept.
    dual_gap_ : float
        How far the cost may lie above its minimum, at most.
    n_iter_ : int
        Cycles made at the end.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import ElasticNetCV
    >>> X = np.random.default_rng(0).normal(size=(60, 5))
    >>> ElasticNetCV(l1_ratio=[0.5, 1.0], cv=3, tol=1e-9).fit(X, X[:, 0]).l1_ratio_
    1.0
    """

    _: KW_ONLY
    l1_ratio: Fraction | Array = 0.5
    eps: Positive = 1e-3
    alphas: Count | Array = 100
    fit_intercept: bool = True
    precompute: bool | Literal["auto"] | Array = "auto"
    max_iter: Count = 1000
    tol: NonNegative = 1e-4
    cv: Splits = None
    copy_X: bool = True  # noqa: N815 - scikit-learn's name
    verbose: bool | NonNegativeInt = 0
    n_jobs: Jobs = None
    positive: bool = False
    random_state: Seed = None
    selection: Literal["cyclic", "random"] = "cyclic"

    @with_callbacks
    def fit(
        self, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Self:
        """Choose alpha and l1_ratio and fit.

        Parameters
        ----------
        X
            Array or sparse matrix (n, d).
        y
            Targets (n,).
        sample_weight
            Weights >= 0 of the rows, for fitting and for the errors.

        Returns
        -------
        self
        """
        check_params(self)
        ratios = np.asarray(self.l1_ratio, dtype=np.float64).reshape(-1)
        if len(ratios) == 0 or not ((ratios >= 0) & (ratios <= 1)).all():
            raise ParameterError(
                f"ElasticNetCV: l1_ratio must hold numbers in [0, 1]; got {self.l1_ratio!r}."
            )
        errors, alphas, ratio = self._choose(X, y, sample_weight, ratios)
        several = np.ndim(self.l1_ratio) > 0
        self.mse_path_ = errors if several else errors[0]
        shared = np.ndim(self.alphas) > 0 or not several
        self.alphas_ = alphas[0] if shared else alphas
        self.l1_ratio_ = ratio
        return self
