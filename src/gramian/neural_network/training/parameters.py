"""Training parameters of convolutional networks and autoencoders, with scikit-learn's names."""

import warnings
from numbers import Real
from typing import Annotated, Any, Literal

from gramian.base.errors import caller_level
from gramian.base.fields import (
    KW_ONLY,
    Count,
    Interval,
    NonNegative,
    Positive,
    Seed,
    params,
)
from gramian.base.kinds import Estimator
from gramian.neural_network.training.training import Schedule, Settings, Solver

AUTO_BATCH = 200


@params
class TrainingParameters:
    """Step sizes, batches, epochs.

    Parameters
    ----------
    solver
        "adam", or "sgd": stochastic gradients with momentum.
    learning_rate_init
        The step size eta.
    learning_rate
        "constant", or "cosine": eta decreases to zero over `max_iter` epochs.
    momentum
        Momentum of "sgd".
    alpha
        Strength of the penalty alpha/2 |W|^2 on the weights; biases are not penalised.
    batch_size
        Rows of a step; "auto" is 200, or all rows if there are fewer.
    max_iter
        Maximum number of epochs.
    tol
        Smallest decrease of the loss that counts as improvement.
    n_iter_no_change
        Training stops after more than this number of epochs in a row without improvement; None: it
        runs all epochs.
    random_state
        Seed or generator for initial weights, order of the rows and noise.

    Attributes
    ----------
    weights_ : dict of arrays
        The parameters by name, as in the ``state_dict`` of the module that `to_torch` returns.
    loss_curve_ : list of float
        Mean training loss of each epoch, without the penalty.
    n_iter_ : int
        Number of epochs.
    n_features_in_ : int
        Number of features seen in `fit`.
    """

    _: KW_ONLY
    solver: Solver = "adam"
    learning_rate_init: Positive = 1e-3
    learning_rate: Schedule = "constant"
    momentum: Annotated[float, Interval(Real, 0, 1, open_high=True)] = 0.9
    alpha: NonNegative = 0.0
    batch_size: Count | Literal["auto"] = "auto"
    max_iter: Count = 200
    tol: NonNegative = 1e-4
    n_iter_no_change: Count | None = 10
    random_state: Seed = None


def settings_of(estimator: Estimator, n_samples: int, **other: Any) -> Settings:
    """Return the training settings of an estimator for this number of rows."""
    size = estimator.batch_size
    if size == "auto":
        size = min(AUTO_BATCH, n_samples)
    elif size > n_samples:
        warnings.warn(
            f"{type(estimator).__name__}: batch_size={size} exceeds the {n_samples} rows, so "
            "every epoch is a single batch. Lower batch_size.",
            UserWarning,
            stacklevel=caller_level(),
        )
        size = n_samples
    settings = {
        "solver": estimator.solver,
        "learning_rate_init": float(estimator.learning_rate_init),
        "learning_rate": estimator.learning_rate,
        "momentum": float(estimator.momentum),
        "alpha": float(estimator.alpha),
        "batch_size": int(size),
        "max_iter": estimator.max_iter,
        "tol": float(estimator.tol),
        "n_iter_no_change": estimator.n_iter_no_change,
    }
    return Settings(**{**settings, **other})
