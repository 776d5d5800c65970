"""Base class of robust regressors: one target, dense rows."""

from typing import ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from gramian.base.fields import KW_ONLY, params
from gramian.base.inputs.gate import LARGEST, check_fit, check_size
from gramian.base.inputs.targets import check_targets
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Regressor, Tags
from gramian.base.rows.moments import Vector
from gramian.base.runtime.threads import one_blas_thread
from gramian.base.types import Data, Table, Weights
from gramian.linear_model.common.linear_prediction import LinearPrediction


class Sample(NamedTuple):
    """Checked rows X, targets y in float64, and weights."""

    X: Data
    y: Vector
    weights: Weights | None


@params
class RobustRegressor(LinearPrediction, Regressor):
    """Base class of linear regressors of one target with a loss other than squared error.

    Parameters
    ----------
    fit_intercept
        Whether to fit an intercept b.

    Attributes
    ----------
    coef_ : array (d,)
        The coefficients c.
    intercept_ : float
        The intercept b.
    """

    tags: ClassVar[Tags] = {"target_tags.multi_output": False}

    _: KW_ONLY
    fit_intercept: bool = True

    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit the coefficients.

        Parameters
        ----------
        X
            Array or sparse matrix (n, d); a sparse one is converted to dense.
        y
            Targets (n,).
        sample_weight
            Weights >= 0 of the rows; weight k counts as the row repeated k times.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        check_size(self, "X", table, self._max_value)
        targets = np.asarray(check_targets(self, y, table.shape[0]), dtype=np.float64)
        weights = check_weights(self, sample_weight, table.shape[0])
        with one_blas_thread():  # passes alternate with small factorisations
            coef, intercept = self._solve(Sample(table, targets, weights))
        self._set_model(coef[None], np.array([intercept]), table.dtype, one_target=True)
        return self

    _max_value = LARGEST  # largest absolute value allowed in X

    def _solve(self, sample: Sample) -> tuple[Vector, float]:
        """Return the coefficients and the intercept, and store the other attributes."""
        raise NotImplementedError
