"""Kernel ridge regression that chooses its penalty by leave-one-out."""

from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ParameterError
from gramian.base.fields import KW_ONLY, Array, params
from gramian.base.kinds import Regressor, Tags
from gramian.base.runtime.threads import one_blas_thread
from gramian.base.types import Floats, Matrix, Table
from gramian.kernel_ridge.dual_solutions import leave_one_out
from gramian.kernel_ridge.kernel_ridge import check_penalties, check_problem, weighted_system
from gramian.kernels.kernel_method import KernelMethod


@params(first=("kernel", "gamma", "degree", "coef0", "kernel_params"))
class KernelRidgeCV(KernelMethod, Regressor):
    """Kernel ridge regression with alpha chosen by exact leave-one-out.

    The residual of a left-out row is a_i / [(K + alpha I)^-1]_ii. K is reduced once to banded form,
    Q B Q', in 8/3 n^3 operations; then a penalty costs 4 n^2 b, with the band width b = 64, instead
    of 2/3 n^3 for a Cholesky factor and the diagonal of its inverse. Memory is one matrix of n^2
    numbers, and the factors of eight penalties. Leaving out a row removes its whole weight.

    Parameters
    ----------
    alphas
        The penalties > 0 to choose from.
    alpha_per_target
        Whether to choose alpha separately for each target.
    store_cv_results
        Whether to store the squared errors of left-out rows.

    Attributes
    ----------
    alpha_ : float or array (targets,)
        The best alpha, or one per target.
    best_score_ : float or array (targets,)
        Its score: minus the mean squared error of left-out rows.
    scores_ : array (alphas,) or (targets, alphas)
        Score of each alpha.
    cv_results_ : array (n, alphas) or (n, targets, alphas)
        Weighted squared errors of left-out rows, if stored; 0 for rows of weight 0.

    Examples
    --------
    >>> from gramian.kernel_ridge import KernelRidgeCV
    >>> x = np.linspace(0.0, 6.0, 40)[:, None]
    >>> y = np.sin(x[:, 0]) + np.random.default_rng(0).normal(0.0, 0.3, 40)
    >>> KernelRidgeCV(alphas=(1e-4, 1e-1, 1e2), kernel="rbf").fit(x, y).alpha_
    0.1
    """

    tags: ClassVar[Tags] = {"target_tags.multi_output": True}

    alphas: Array = (0.1, 1.0, 10.0)
    _: KW_ONLY
    alpha_per_target: bool = False
    store_cv_results: bool = False

    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Choose alpha and fit to all rows.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d); the square kernel matrix for a precomputed kernel.
        y
            Targets, (n,) or (n, targets).
        sample_weight
            Weights >= 0 of the rows.

        Returns
        -------
        self
        """
        table, targets, weights = check_problem(self, X, y, sample_weight)
        n = table.shape[0]
        alphas = check_penalties("KernelRidgeCV", "alphas", self.alphas)
        if not len(alphas) or not (np.all(alphas > 0) and np.isfinite(alphas).all()):
            raise ParameterError(
                f"KernelRidgeCV: alphas must contain finite numbers > 0; got {self.alphas!r}."
            )
        kernel = self._check_kernel(table, weights)
        counted = np.arange(n) if weights is None else np.flatnonzero(weights > 0)
        Y: Floats = targets.reshape(n, -1).astype(np.float64, copy=False)
        K, Y, scale = weighted_system("KernelRidgeCV", kernel, table, Y, weights, counted)
        with one_blas_thread():
            out = leave_one_out("KernelRidgeCV", K, Y, alphas)
        total = n if weights is None else weights.sum()
        squares = np.square(out.residuals)  # includes the weights
        scores = -squares.sum(axis=0) / total
        if not self.alpha_per_target:
            scores = scores.mean(axis=0, keepdims=True)
        best: npt.NDArray[np.intp] = scores.argmax(axis=1)
        columns = np.arange(Y.shape[1])
        dual = np.zeros((n, Y.shape[1]))
        dual[counted] = out.solutions[np.broadcast_to(best, columns.shape), :, columns].T
        if scale is not None:
            dual[counted] *= scale[:, None]
        one = targets.ndim == 1
        self.kernel_, self.X_fit_ = kernel, table
        self.dual_coef_ = (dual[:, 0] if one else dual).astype(table.dtype)
        single = len(scores) == 1
        best_scores = scores[np.arange(len(scores)), best]
        self.alpha_ = float(alphas[best[0]]) if single else alphas[best]
        self.best_score_ = float(best_scores[0]) if single else best_scores
        self.scores_ = scores[0] if single else scores
        if self.store_cv_results:
            kept = np.zeros((n, *squares.shape[1:]))
            kept[counted] = squares
            self.cv_results_ = (kept[:, 0] if one else kept).astype(table.dtype)
        return self

    def predict(self, X: Table) -> Matrix:
        """Return f of each row.

        Parameters
        ----------
        X
            Array or CSR matrix (m, d); for a precomputed kernel, the kernel values (m, n) between
            new and training rows.

        Returns
        -------
        y : array of shape (m,) or (m, targets)
        """
        return self._predict_values(X)
