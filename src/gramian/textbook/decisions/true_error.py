"""The error of a classifier under a known distribution of the data."""

from collections.abc import Callable
from typing import Any

import numpy as np

from gramian.base.errors import DataError, ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.distributions import GenerativeModel
from gramian.textbook.decisions.continuous_problem import ContinuousDecisionProblem, Method
from gramian.textbook.decisions.decision_problem import DecisionProblem
from gramian.textbook.decisions.risk_integrals import RiskEstimate


def true_error(
    classifier: Any,
    source: Any,
    *,
    method: Method = "auto",
    n_samples: int = 100_000,
    random_state: object = None,
) -> RiskEstimate:
    """Return P(classifier(x) != y) under a known joint distribution of x and y.

    Parameters
    ----------
    classifier
        A fitted classifier, or a function from rows to labels.
    source
        The distribution of the data. A `GenerativeModel`, a `ContinuousDecisionProblem` or a
        `DecisionProblem`, whose states are the labels (costs other than 0 and 1 give the risk): the
        error is a sum, an integral, or estimated by sampling. Or a function ``source(n, rng)``, or
        an object with `sample`, that draws (X, y): the error is estimated on a new sample.
    method
        How to integrate over densities, as for `ContinuousDecisionProblem.risk`.
    n_samples
        Size of the new sample.
    random_state
        Seed or generator for the random draws.

    Returns
    -------
    RiskEstimate
        The error, its standard or integration error, and an interval.

    Examples
    --------
    >>> from gramian import LogisticRegression
    >>> from gramian.textbook.decisions import ContinuousDecisionProblem, true_error
    >>> from gramian.distributions import Gaussian
    >>> source = ContinuousDecisionProblem([0.5, 0.5], [Gaussian(0.0, 1.0), Gaussian(2.0, 1.0)])
    >>> model = LogisticRegression().fit([[-1.0], [0.0], [1.5], [3.0]], [0, 0, 1, 1])
    >>> error = true_error(model, source)
    >>> error.method, error.value >= source.bayes_risk().value
    ('intervals', True)
    """
    if isinstance(source, GenerativeModel):
        states = source.classes.tolist()
        source = ContinuousDecisionProblem(source.priors, source.distributions, states=states)
    if isinstance(source, ContinuousDecisionProblem):
        return source.risk(
            classifier, method=method, n_samples=n_samples, random_state=random_state
        )
    if method not in ("auto", "sampling"):
        raise ParameterError(
            f"true_error: method {method!r} needs a source with densities; got {source!r}."
        )
    predict: Callable[[Any], Any] = getattr(classifier, "predict", classifier)
    if not callable(predict):
        raise ParameterError(
            f"true_error: classifier must be a fitted classifier or a predict function; got "
            f"{classifier!r}."
        )
    if isinstance(source, DecisionProblem):
        value = source.risk(lambda x: np.asarray(predict(np.array([[x]]))).item())
        return RiskEstimate(value, 0.0, value, value, "sum")
    return _error_on_new_sample(predict, source, n_samples, random_state)


def _error_on_new_sample(
    predict: Callable[[Any], Any], source: Any, n_samples: int, random_state: object
) -> RiskEstimate:
    if not (isinstance(n_samples, int | np.integer) and n_samples >= 2):
        raise ParameterError(f"true_error: n_samples must be an integer >= 2; got {n_samples!r}.")
    rng = stream(seed_of(random_state))
    if hasattr(source, "sample"):
        drawn = source.sample(int(n_samples), random_state=rng)
    elif callable(source):
        drawn = source(int(n_samples), rng)
    else:
        raise ParameterError(
            "true_error: source must be a decision problem, a joint model with sample, or a "
            f"function (n, rng); got {source!r}."
        )
    X, y = np.asarray(drawn[0]), np.asarray(drawn[1])
    if len(X) != len(y) or not len(y):
        raise DataError(f"true_error: source drew {len(X)} rows and {len(y)} labels.")
    wrong = np.asarray(predict(X.reshape(len(X), -1) if X.ndim < 2 else X)) != y
    value = float(wrong.mean())
    error = float(np.sqrt(value * (1 - value) / len(y)))
    return RiskEstimate(value, error, value - 1.96 * error, value + 1.96 * error, "sampling")
