"""Convert the parameters of estimators (a name, a function, gamma="scale") to a kernel."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import Function, Instance, Interval
from gramian.base.types import Data, Weights, is_sparse
from gramian.kernels.chi_squared import AdditiveChiSquared, ChiSquared
from gramian.kernels.distance_kernels import RBF, Laplacian
from gramian.kernels.inner_products import Cosine, Linear, Polynomial, Sigmoid
from gramian.kernels.kernel import Kernel
from gramian.kernels.user_kernels import FunctionKernel, Precomputed

# The names of scikit-learn's pairwise kernels.
KernelName: TypeAlias = Literal[
    "linear",
    "poly",
    "polynomial",
    "rbf",
    "laplacian",
    "sigmoid",
    "chi2",
    "additive_chi2",
    "cosine",
    "precomputed",
]
KernelObject = Annotated[Any, Instance((Kernel,), "a gramian.kernels.Kernel")]

# The type of an estimator's field `kernel`.
KernelField = KernelName | KernelObject | Function

KernelLike: TypeAlias = str | Kernel | Callable[..., Any]

_CONSTRUCTORS: dict[str, Callable[[Any, Any, Any], Kernel]] = {
    "linear": lambda gamma, degree, coef0: Linear(),  # noqa: ARG005
    "poly": lambda gamma, degree, coef0: Polynomial(degree, gamma, coef0),
    "polynomial": lambda gamma, degree, coef0: Polynomial(degree, gamma, coef0),
    "rbf": lambda gamma, degree, coef0: RBF(gamma),  # noqa: ARG005
    "laplacian": lambda gamma, degree, coef0: Laplacian(gamma),  # noqa: ARG005
    "sigmoid": lambda gamma, degree, coef0: Sigmoid(gamma, coef0),  # noqa: ARG005
    "chi2": lambda gamma, degree, coef0: ChiSquared(gamma),  # noqa: ARG005
    "additive_chi2": lambda gamma, degree, coef0: AdditiveChiSquared(),  # noqa: ARG005
    "cosine": lambda gamma, degree, coef0: Cosine(),  # noqa: ARG005
    "precomputed": lambda gamma, degree, coef0: Precomputed(),  # noqa: ARG005
}
_WITHOUT_GAMMA = ("linear", "additive_chi2", "cosine", "precomputed")


def resolve_kernel(
    owner: str,
    kernel: KernelLike,
    X: Data,
    *,
    gamma: float | str | None = None,
    degree: float | None = 3,
    coef0: float | None = 1.0,
    weights: Weights | None = None,
    function_arguments: Literal["rows", "tables"] = "rows",
    function_params: Mapping[str, Any] | None = None,
) -> Kernel:
    """Return the kernel for the parameters of an estimator.

    Parameters
    ----------
    owner
        Name of the caller, for error messages.
    kernel
        A name from scikit-learn, a `Kernel`, which ignores the other parameters, or a function.
    X
        The training rows, checked; gamma depends on them.
    gamma
        A number > 0; "scale": 1 / (d times the variance of all values of X); "auto": 1 / d;
        None means 1 / d, or 1 for "chi2".
    degree, coef0
        None means 3 and 1.
    weights
        Weights of the rows, for "scale".
    function_of
        Whether a function takes two rows (`sklearn.metrics.pairwise_kernels`) or two tables
        (`sklearn.svm`).
    function_params
        Keyword arguments of a function.

    Returns
    -------
    kernel : Kernel

    Examples
    --------
    >>> X = np.array([[0.0, 1.0], [2.0, 3.0]])
    >>> resolve_kernel("SVC", "rbf", X, gamma="scale")
    RBF(gamma=0.4)
    >>> resolve_kernel("SVC", "poly", X, gamma="auto", degree=2, coef0=0.0)
    Polynomial(degree=2, gamma=0.5, coef0=0.0)
    """
    if isinstance(kernel, Kernel):
        return kernel
    if not isinstance(kernel, str):
        if not callable(kernel) or isinstance(kernel, type):
            raise ParameterError(
                f"{owner}: kernel must be a name, a Kernel or a function; got {kernel!r}."
            )
        return FunctionKernel(kernel, function_arguments, dict(function_params or {}))
    if kernel not in _CONSTRUCTORS:
        raise ParameterError(
            f"{owner}: kernel must be one of {sorted(_CONSTRUCTORS)}; got {kernel!r}."
        )
    rate = 1.0
    if kernel not in _WITHOUT_GAMMA:
        rate = 1.0 if kernel == "chi2" and gamma is None else gamma_of(owner, gamma, X, weights)
    return _CONSTRUCTORS[kernel](
        rate, 3 if degree is None else degree, 1.0 if coef0 is None else coef0
    )


def gamma_of(
    owner: str, gamma: float | str | None, X: Data, weights: Weights | None = None
) -> float:
    """Return the value of gamma for these rows, which may be "scale", "auto" or None.

    Examples
    --------
    >>> gamma_of("SVC", "scale", np.array([[0.0, 4.0]]))
    0.125
    """
    if gamma == "scale":
        variance = _variance(X, weights)
        rate = 1.0 / (float(X.shape[1]) * variance) if variance > 0 else 1.0
        if not np.isfinite(rate):
            raise DataError(
                f"{owner}: gamma='scale' is 1 / (n_features * X.var()), which overflows for a "
                f"variance of {variance:.3g}. Scale the columns, see "
                "sklearn.preprocessing.StandardScaler."
            )
        return rate
    if gamma is None or gamma == "auto":
        return 1.0 / float(X.shape[1])
    rule = Interval(float, 0, None, open_low=True)
    if isinstance(gamma, str) or not (rule.accepts(float(gamma)) and np.isfinite(gamma)):
        raise ParameterError(
            f"{owner}: gamma must be a finite number > 0, 'scale', 'auto' or None; got {gamma!r}."
        )
    return float(gamma)


def _variance(X: Data, weights: Weights | None) -> float:
    """Return the variance of all values of a table, zeros of CSR included."""
    row_weights = np.ones(X.shape[0]) if weights is None else weights / weights.max()
    total = float(row_weights.sum()) * float(X.shape[1])
    if not is_sparse(X):
        mean = float(row_weights @ X.sum(axis=1, dtype=np.float64)) / total
        return float(row_weights @ np.square(X - mean, dtype=np.float64).sum(axis=1)) / total
    factors = np.repeat(row_weights, np.diff(X.indptr))
    values = X.data.astype(np.float64)
    mean = float(factors @ values) / total
    rest = total - float(factors.sum())
    return (float(factors @ (values - mean) ** 2) + rest * mean**2) / total
