"""Base classes of kernel methods: kernel parameters, and predictions from dual coefficients."""

from numbers import Real
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Interval, NonNegative, Positive, params
from gramian.base.inputs.gate import check_finite, check_new, check_size, check_stored
from gramian.base.kinds import DeclaredTags, Estimator, Tags
from gramian.base.types import Data, Matrix, Table, Weights
from gramian.kernels.kernel import Kernel
from gramian.kernels.matrix import check_square, check_symmetric, kernel_product
from gramian.kernels.resolution import KernelField, resolve_kernel
from gramian.kernels.user_kernels import Precomputed

Constant = Annotated[float, Interval(Real)]


@params
class KernelParameters(DeclaredTags, Estimator):
    """Base class of estimators with a kernel.

    Parameters
    ----------
    kernel
        A name, a `gramian.kernels.Kernel`, which ignores the next four parameters, or a function
        of two rows.
    gamma
        Rate or factor of the kernel. None means 1 / d, or 1 for "chi2"; "auto" means 1 / d; "scale"
        means 1 / (d times the variance of X).
    degree
        Exponent of "poly"; None means 3.
    coef0
        Constant of "poly" and "sigmoid"; None means 1.
    kernel_params
        Keyword arguments of a kernel function.

    Attributes
    ----------
    kernel_ : gramian.kernels.Kernel
        The kernel, with gamma as a number.
    n_features_in_ : int
        Number of features seen in `fit`.
    """

    tags: ClassVar[Tags] = {
        "input_tags.pairwise": lambda self: _is_precomputed(self.kernel),
        "input_tags.positive_only": lambda self: "chi2" in _name(self.kernel),
    }
    takes_sparse = True

    _: KW_ONLY
    kernel: KernelField = "rbf"
    gamma: Positive | Literal["scale", "auto"] | None = None
    degree: NonNegative | None = 3
    coef0: Constant | None = 1
    kernel_params: dict[str, Any] | None = None

    def _check_kernel(self, X: Data, weights: Weights | None = None) -> Kernel:
        """Return the kernel for checked training rows."""
        check_size(self, "X", X)
        name = type(self).__name__
        kernel = resolve_kernel(
            name,
            self.kernel,
            X,
            gamma=self.gamma,
            degree=self.degree,
            coef0=self.coef0,
            weights=weights,
            function_params=self.kernel_params,
        )
        if not kernel.takes_rows:
            check_square(name, X)
            check_symmetric(name, X)
        return kernel

    def _check_loaded(self) -> None:
        if not isinstance(self.kernel_, Kernel):
            name = type(self).__name__
            raise DataError(f"{name}: kernel_ must be a kernel; got {self.kernel_!r}.")


class KernelMethod(KernelParameters):
    """Base class of models f(x) = sum_i a_i k(x_i, x) over the training rows.

    Attributes
    ----------
    dual_coef_ : array
        The weight a_i of each row of `X_fit_`.
    X_fit_ : array or CSR
        The training rows; the kernel matrix itself for a precomputed kernel.
    """

    parametric = False

    def _predict_values(self, X: Table) -> Matrix:
        """Return f(x) for new rows, (m,) or (m, outputs)."""
        check_is_fitted(self)
        rows = check_new(self, X, dtype=self.X_fit_.dtype)
        check_size(self, "X", rows)
        name = type(self).__name__
        return kernel_product(self.kernel_, rows, self.X_fit_, self.dual_coef_, owner=name)

    def _check_loaded(self) -> None:
        super()._check_loaded()
        name = type(self).__name__
        check_stored(self, "X_fit_", self.X_fit_, self.n_features_in_)
        dual = self.dual_coef_
        shaped = isinstance(dual, np.ndarray) and dual.ndim in (1, 2) and dual.dtype.kind == "f"
        if not shaped or len(dual) != self.X_fit_.shape[0]:
            raise DataError(f"{name}: dual_coef_ must contain one value per row of X_fit_.")
        check_finite(name, "dual_coef_", dual)


def _name(kernel: object) -> str:
    """Return the name of a kernel, or an empty string for an object."""
    return kernel if isinstance(kernel, str) else ""


def _is_precomputed(kernel: object) -> bool:
    return _name(kernel) == "precomputed" or isinstance(kernel, Precomputed)
