"""The kernel perceptron."""

import warnings
from collections.abc import Callable
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import caller_level
from gramian.base.fields import KW_ONLY, Count, Positive, params
from gramian.base.inputs.gate import check_fit
from gramian.base.inputs.targets import Classes, check_labels
from gramian.base.kinds import Classifier
from gramian.base.types import Data, Floats, Matrix, Table
from gramian.kernels import Kernel, Linear
from gramian.kernels.kernel_method import KernelMethod
from gramian.kernels.matrix import check_values, checked_kernel_matrix
from gramian.linear_model.common.class_targets import check_classes, class_outputs

MAX_STORED_ROWS = 10_000  # largest number of rows for which the kernel matrix is stored


@params(first=("kernel", "gamma", "degree", "coef0", "kernel_params"))
class KernelPerceptron(KernelMethod, CallbackSupportMixin, Classifier):
    """Kernel perceptron.

    With w = sum_i a_i phi(x_i) the perceptron's update w <- w + eps y_i phi(x_i) is ::

        if y_i (K a)_i <= 0:   a_i <- a_i + eps y_i

    The products q = K a are maintained, so a mistake costs O(n), and a correctly classified row
    O(1). The fit ends after an epoch without a mistake, which occurs if the features separate the
    classes. There is no intercept: use a kernel with a constant, such as the polynomial one or
    ``Linear() + 1.0``. With more than two classes, each is fitted against the rest.

    Parameters
    ----------
    max_iter
        Maximum number of epochs.
    eta0
        The step size eps. From a = 0 it only scales a.
    init
        The initial a: "row", y_1 for the first row and 0 for the others, or "zeros".

    Attributes
    ----------
    classes_ : array (K,)
        The labels, sorted.
    dual_coef_ : array (n,) or (n, K)
        The weights a_i, one column per class if there are more than two.
    mistakes_ : array (1,) or (K,)
        Number of updates.
    n_iter_ : int
        Number of epochs.
    converged_ : bool
        Whether the last epoch made no mistake.

    Examples
    --------
    >>> from gramian.linear_model import KernelPerceptron
    >>> X = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]  # exclusive or
    >>> model = KernelPerceptron(kernel="poly", degree=2).fit(X, [0, 0, 1, 1])
    >>> model.predict(X).tolist()
    [0, 0, 1, 1]
    """

    model_family = "boundary"

    _: KW_ONLY
    max_iter: Count = 1000
    eta0: Positive = 1.0
    init: Literal["row", "zeros"] = "row"

    @with_callbacks
    def fit(self, X: Table, y: npt.ArrayLike) -> Self:
        """Fit to labelled rows.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d); the square kernel matrix for a precomputed kernel.
        y
            Labels.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        codes, classes = check_labels(self, y, table.shape[0])
        counts = np.bincount(codes, minlength=len(classes)).astype(float)
        check_classes("KernelPerceptron", classes, counts)
        kernel = self._check_kernel(table)
        column = kernel_columns("KernelPerceptron", kernel, table)
        outputs = class_outputs(classes)
        task = Task.of(self, steps=len(outputs), X=X, y=y)
        found = []
        for positive in outputs:
            found.append(self._run_epochs(column, np.where(codes == positive, 1.0, -1.0)))
            task.iteration(dict, name="class")
        dual = np.column_stack([a for a, _, _, _ in found])
        self.classes_, self.kernel_, self.X_fit_ = classes, kernel, table
        self.dual_coef_ = (dual[:, 0] if len(outputs) == 1 else dual).astype(table.dtype)
        self.mistakes_ = np.array([made for _, made, _, _ in found])
        self.n_iter_ = max(epochs for _, _, epochs, _ in found)
        self.converged_ = all(ended for _, _, _, ended in found)
        if not self.converged_:
            warnings.warn(
                f"KernelPerceptron: did not converge: there are still mistakes in epoch "
                f"{self.max_iter}; raise max_iter, or use a kernel whose features separate the "
                "classes.",
                ConvergenceWarning,
                stacklevel=caller_level(),
            )
        task.done(dict)
        return self

    def _run_epochs(
        self, column: Callable[[int], Floats], signs: Floats
    ) -> tuple[Floats, int, int, bool]:
        """Return a, the numbers of mistakes and epochs, and whether the last made no mistake."""
        n, step = len(signs), float(self.eta0)
        a, q = np.zeros(n), np.zeros(n)
        if self.init == "row":
            a[0] = signs[0]
            q += signs[0] * column(0)
        mistakes = 0
        for epoch in range(1, self.max_iter + 1):
            at, before = 0, mistakes
            while at < n:
                wrong = signs[at:] * q[at:] <= 0
                next_one = int(np.argmax(wrong))
                if not wrong[next_one]:
                    break
                i = at + next_one
                a[i] += step * signs[i]
                q += step * signs[i] * column(i)
                at, mistakes = i + 1, mistakes + 1
            if mistakes == before:
                return a, mistakes, epoch, True
        return a, mistakes, self.max_iter, False

    @property
    def coef_(self) -> Matrix:
        """The weights w = X'a of the columns, (1, d) or (K, d), for the linear kernel."""
        if not isinstance(self.__dict__.get("kernel_"), Linear):
            raise AttributeError("coef_ is only available with the linear kernel, after fit")
        dual = self.dual_coef_.reshape(len(self.dual_coef_), -1)
        return np.asarray((self.X_fit_.T @ dual).T)

    def decision_function(self, X: Table) -> Matrix:
        """Return f of each row: positive for the second class, or one column per class.

        Parameters
        ----------
        X
            Array or CSR matrix (m, d).

        Returns
        -------
        f : array of shape (m,) or (m, K)
        """
        return self._predict_values(X)

    def predict(self, X: Table) -> Classes:
        """Return the class of each row.

        Parameters
        ----------
        X
            Array or CSR matrix (m, d).

        Returns
        -------
        labels : array of shape (m,)
        """
        f = self.decision_function(X)
        codes = (f > 0).astype(np.intp) if f.ndim == 1 else f.argmax(axis=1)
        labels: Classes = self.classes_[codes]
        return labels


def kernel_columns(owner: str, kernel: Kernel, X: Data) -> Callable[[int], Floats]:
    """Return a function of i that returns k(x_i, .) for all rows, in float64."""
    if X.shape[0] <= MAX_STORED_ROWS or not kernel.takes_rows:
        K: Any = checked_kernel_matrix(owner, kernel, X)
        return lambda i: K[i].astype(np.float64, copy=False)
    tile = kernel.against(X)

    def column(i: int) -> Floats:
        row = tile(X[i : i + 1], slice(None))
        check_values(owner, row)
        return np.asarray(row[0], dtype=np.float64)

    return column
