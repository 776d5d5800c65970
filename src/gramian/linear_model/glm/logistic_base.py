"""The parameters that logistic regression and its cross-validation share."""

from gramian.base.fields import (
    KW_ONLY,
    Count,
    NonNegative,
    NonNegativeInt,
    Positive,
    Seed,
    params,
)
from gramian.base.weights import ClassWeight
from gramian.linear_model.glm.log_odds import LogOddsClassifier
from gramian.linear_model.glm.solver_choice import SolverName


@params
class LogisticBase(LogOddsClassifier):
    """Logistic regression with a given or a chosen penalty.

    Parameters
    ----------
    dual
        Ignored; present for scikit-learn compatibility.
    tol
        Stop when the norm of the mean cost's gradient is at most this.
    fit_intercept
        Whether to fit a bias b.
    intercept_scaling
        Ignored; present for scikit-learn compatibility.
    class_weight
        Weights of the classes, {label: weight}, which multiply `sample_weight`; "balanced":
        W / (K W_k), W_k the total weight of class k.
    random_state
        Seed or generator for the random draws of "sgd"; it has no effect on the other solvers.
    solver
        "auto", or the name of a solver; "gradient" and "sgd" are textbook implementations. The
        minimum does not depend on the solver, so scikit-learn's "liblinear", "sag" and "saga" mean
        "auto".
    max_iter
        Maximum number of solver steps.
    verbose
        Whether to print a line for each iteration of Newton's and quasi-Newton methods.
    """

    _: KW_ONLY
    dual: bool = False
    tol: NonNegative = 1e-4
    fit_intercept: bool = True
    intercept_scaling: Positive = 1.0
    class_weight: ClassWeight = None
    random_state: Seed = None
    solver: SolverName = "auto"
    max_iter: Count = 100
    verbose: bool | NonNegativeInt = 0
