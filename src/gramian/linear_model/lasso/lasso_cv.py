"""Lasso and elastic net with the penalty chosen by cross-validation."""

from typing import Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.metadata_routing import MetadataRouter

from gramian.base.callbacks import (
    CallbackSupportMixin,
    Task,
    print_progress,
    with_callbacks,
)
from gramian.base.conversions import parameter_array
from gramian.base.errors import ParameterError
from gramian.base.fields import (
    KW_ONLY,
    Array,
    Count,
    Fraction,
    Jobs,
    NonNegativeInt,
    Positive,
    check_params,
    params,
)
from gramian.base.folds import Splits, check_splits
from gramian.base.inputs.gate import check_fit, check_size
from gramian.base.inputs.targets import check_targets
from gramian.base.inputs.weights import check_weights, unit_weights
from gramian.base.kinds import Regressor, Tags
from gramian.base.routing import routed, to_splitter
from gramian.base.rows.moments import Vector
from gramian.base.runtime.threads import threads_for
from gramian.base.types import Matrix, Table
from gramian.linear_model.common.linear_prediction import LinearPrediction
from gramian.linear_model.lasso.lasso_base import warn_about_gap
from gramian.linear_model.lasso.lasso_folds import Folds
from gramian.linear_model.lasso.lasso_params import LassoParams
from gramian.linear_model.lasso.lasso_path import enet_path, lasso_path
from gramian.linear_model.lasso.sparse_problem import (
    LARGEST,
    SparseProblem,
    alpha_grid,
    check_alphas,
)


@params
class LassoBaseCV(LassoParams, CallbackSupportMixin, LinearPrediction, Regressor):
    """Chooses alpha and l1_ratio by the error on held-out rows.

    Callbacks see every path; after a request to stop, the best of the finished l1_ratios is used.

    Parameters
    ----------
    eps
        Ratio of the smallest alpha of the grid to the largest.
    alphas
        Number of alphas, or the alphas themselves in any order.
    cv
        Number of folds or a splitter; None means 5 folds.
    verbose
        Whether to print a line for each l1_ratio.
    n_jobs
        Number of threads; the result does not depend on it.

    Attributes
    ----------
    alpha_ : float
        The alpha chosen.
    alphas_ : array (k,)
        The grid, from the largest to the smallest.
    mse_path_ : array (k, folds)
        Mean squared errors on the held-out rows.
    coef_ : array (d,)
        The coefficients of the model chosen, fitted to all rows.
    intercept_ : float
        The intercept of the model chosen.
    dual_gap_ : float
        Upper bound on how far the cost of the model chosen is above its minimum.
    n_iter_ : int
        Number of cycles of the final fit.
    """

    tags: ClassVar[Tags] = {"target_tags.multi_output": False}

    _: KW_ONLY
    eps: Positive = 1e-3
    alphas: Count | Array = 100
    precompute: bool | Literal["auto"] | Array = "auto"
    cv: Splits = None
    verbose: bool | NonNegativeInt = False
    n_jobs: Jobs = None

    def _candidates(self) -> Vector:
        """Return the l1_ratios to compare."""
        raise NotImplementedError

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which arguments of `fit` go to the splitter."""
        return to_splitter(self)

    @with_callbacks
    def fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        **params: Any,
    ) -> Self:
        """Choose the penalty and fit the coefficients.

        Parameters
        ----------
        X
            Array or sparse matrix (n, d).
        y
            Targets (n,).
        sample_weight
            Weights >= 0 of the rows, for fitting and for the errors.
        **params
            Further arguments of the splitter, such as ``groups``; needs scikit-learn's
            ``enable_metadata_routing=True``.

        Returns
        -------
        self
        """
        check_params(self)
        ratios = self._candidates()
        name = type(self).__name__
        table = check_fit(self, X, any_order=True)
        targets = np.asarray(check_targets(self, y, table.shape[0]), dtype=np.float64)
        weights = unit_weights(check_weights(self, sample_weight, table.shape[0]))
        check_size(self, "X", table, LARGEST)
        check_size(self, "y", targets, LARGEST)
        split_params = routed(self, "fit", params).splitter["split"]
        splits = check_splits(
            name,
            self.cv,
            table,
            targets,
            classifier=False,
            split_params=split_params,
            weights=weights,
        )
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
                whole.use_summary(targets, folds.total)
            alphas = np.array([self._grid(name, whole, targets, ratio) for ratio in ratios])
            task = Task.of(self, steps=None, X=X, y=y)
            found, stop = [], False

            def path_done() -> None:
                nonlocal stop  # steps=None: there is no model to score yet
                stop |= task.part("path", steps=None).done(dict)

            for ratio, penalties in zip(ratios, alphas, strict=True):
                l1, l2 = penalties * ratio, penalties * (1 - ratio)
                found.append(folds.errors(l1, l2, path_done, **settings))
                print_progress(self, f"l1_ratio = {ratio:g}, paths of {len(splits)} folds")
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
            warn_about_gap(name, self.dual_gap_, self.max_iter)
        self._set_choice(errors, alphas, float(ratio))
        return self

    def _set_choice(self, errors: Matrix, alphas: Matrix, ratio: float) -> None:
        """Store errors (ratios, alphas, folds), alphas (ratios, alphas) and the best ratio."""
        raise NotImplementedError

    def _grid(self, name: str, problem: SparseProblem, y: Vector, ratio: float) -> Vector:
        if np.ndim(self.alphas) == 0:
            l1_max = problem.l1_max(y, positive=bool(self.positive))
            return alpha_grid(name, l1_max, ratio, int(np.asarray(self.alphas)), self.eps)
        return check_alphas(name, self.alphas)


@params(
    first=(
        "eps",
        "alphas",
        "fit_intercept",
        "precompute",
        "max_iter",
        "tol",
        "copy_X",
        "cv",
        "verbose",
        "n_jobs",
    )
)
class LassoCV(LassoBaseCV):
    """Lasso with alpha chosen by cross-validation.

    All folds use one grid of alphas; on a tall table their Gram matrices are differences, so the
    rows are read once. The model is fitted to all rows at the alpha with the smallest mean squared
    error over all held-out rows (Hastie, Tibshirani and Friedman 2009, 7.10): each fold counts by
    its weight. scikit-learn gives all folds equal weight where no sample weights are given.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import LassoCV
    >>> X = np.random.default_rng(0).normal(size=(60, 5))
    >>> model = LassoCV(cv=3, tol=1e-9).fit(X, X[:, 0])
    >>> model.coef_.round(2).tolist()
    [1.0, 0.0, 0.0, 0.0, 0.0]
    """

    path = staticmethod(lasso_path)

    def _candidates(self) -> Vector:
        return np.ones(1)

    def _set_choice(self, errors: Matrix, alphas: Matrix, ratio: float) -> None:
        self.mse_path_, self.alphas_ = errors[0], alphas[0]


@params(
    first=(
        "l1_ratio",
        "eps",
        "alphas",
        "fit_intercept",
        "precompute",
        "max_iter",
        "tol",
        "cv",
        "copy_X",
        "verbose",
        "n_jobs",
    )
)
class ElasticNetCV(LassoBaseCV):
    """Elastic net with alpha and l1_ratio chosen by cross-validation, as in `LassoCV`.

    Parameters
    ----------
    l1_ratio
        Fraction of the l1 penalty, or several to choose from.

    Attributes
    ----------
    l1_ratio_ : float
        The l1_ratio chosen.
    alphas_ : array (k,) or (ratios, k)
        The grids, from the largest to the smallest.
    mse_path_ : array (k, folds) or (ratios, k, folds)
        Mean squared errors on the held-out rows.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import ElasticNetCV
    >>> X = np.random.default_rng(0).normal(size=(60, 5))
    >>> ElasticNetCV(l1_ratio=[0.5, 1.0], cv=3, tol=1e-9).fit(X, X[:, 0]).l1_ratio_
    1.0
    """

    path = staticmethod(enet_path)

    _: KW_ONLY
    l1_ratio: Fraction | Array = 0.5
    verbose: bool | NonNegativeInt = 0

    def _candidates(self) -> Vector:
        ratios: Vector = parameter_array("ElasticNetCV", "l1_ratio", self.l1_ratio).reshape(-1)
        if len(ratios) == 0 or not ((ratios >= 0) & (ratios <= 1)).all():
            raise ParameterError(
                f"ElasticNetCV: l1_ratio must contain numbers in [0, 1]; got {self.l1_ratio!r}."
            )
        return ratios

    def _set_choice(self, errors: Matrix, alphas: Matrix, ratio: float) -> None:
        several = np.ndim(self.l1_ratio) > 0
        self.mse_path_ = errors if several else errors[0]
        shared = np.ndim(self.alphas) > 0 or not several
        self.alphas_ = alphas[0] if shared else alphas
        self.l1_ratio_ = ratio
