"""The parameters that ridge regression and ridge classification share."""

from typing import Literal

from gramian.base.fields import KW_ONLY, Array, Count, NonNegative, Positive, Seed, params
from gramian.base.folds import Splits
from gramian.base.kinds import Estimator
from gramian.linear_model.ridge.scoring import Scoring

Solver = Literal["auto", "svd", "cholesky", "lsqr", "sparse_cg", "sag", "saga", "lbfgs"]


@params
class RidgeBase(Estimator):
    """A ridge model with a given penalty.

    Parameters
    ----------
    alpha
        Strength of the penalty.
    fit_intercept
        Whether to fit an intercept b; otherwise it is 0.
    copy_X
        Ignored; present for scikit-learn compatibility.
    max_iter
        Maximum number of conjugate gradient iterations; None for ten per column.
    tol
        Relative residual at which conjugate gradients stop.
    solver
        "auto" chooses by shape and condition number; for sparse X it first tries conjugate
        gradients, for at most the time of a direct solver. "cholesky" is "auto" without conjugate
        gradients, unless X has too many columns. "svd" uses the singular values of scaled columns;
        "sparse_cg" and "lsqr" use conjugate gradients. Other names mean "auto".
    positive
        Whether to require coefficients >= 0 (non-negative least squares).
    random_state
        Ignored; present for scikit-learn compatibility.

    Attributes
    ----------
    n_iter_
        Conjugate gradient iterations per target; 1 for direct solvers.
    solver_
        The solver used: "cholesky", "cholesky, refined", "dual", "qr", "svd", "sparse_cg",
        "nnls", "eigh" (from a summary), or that of `LinearRegression` when alpha is 0.
    """

    alpha: NonNegative | Array = 1.0
    _: KW_ONLY
    fit_intercept: bool = True
    copy_X: bool = True  # noqa: N815 - scikit-learn's name
    max_iter: Count | None = None
    tol: NonNegative = 1e-4
    solver: Solver = "auto"
    positive: bool = False
    random_state: Seed = None


@params
class RidgeBaseCV(Estimator):
    """A ridge model that chooses its penalty by cross-validation.

    Parameters
    ----------
    alphas
        Strengths of the penalty to try, > 0.
    fit_intercept
        Whether to fit an intercept.
    cv
        None for leave-one-out, a number of folds, a splitter, or an iterable of (train, test).

    Attributes
    ----------
    alpha_
        The best alpha.
    best_score_
        Its score.
    """

    alphas: Positive | Array = (0.1, 1.0, 10.0)
    _: KW_ONLY
    fit_intercept: bool = True
    scoring: Scoring = None
    cv: Splits = None
    store_cv_results: bool = False
