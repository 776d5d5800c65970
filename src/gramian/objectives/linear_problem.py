"""The objective of linear models: losses of the rows, a functional and a penalty."""

import copy
from math import prod

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian.base.errors import DataError
from gramian.base.types import Data, Floats, is_sparse
from gramian.objectives.entropy import Logistic
from gramian.objectives.functionals import Functional, Mean, WeightedSum
from gramian.objectives.lipschitz import data_lipschitz
from gramian.objectives.loss import Loss
from gramian.objectives.margin import Hinge, SquaredHinge
from gramian.objectives.native_passes import is_native, passes, single_passes
from gramian.objectives.passes import NumPyPasses
from gramian.objectives.penalties import L2, Penalty
from gramian.objectives.problem import Piece, Problem
from gramian.objectives.regression import EpsilonInsensitive

PROGRAMS: tuple[Piece, ...] = ("linear program", "quadratic program")
_WITH_DUAL = (Logistic, Hinge, SquaredHinge, EpsilonInsensitive)


class LinearProblem(Problem):
    """The cost of a linear model on data.

    ::

        J(w, b) = functional_i L(y_i, x_i . w + b) + r(w)

    The unknowns are one flat vector x: the weights, then the bias if there is one; with K outputs,
    the rows of an array of shape (d + 1, K). `unpack` splits it.

    Parameters
    ----------
    X
        The data, shape (n, d), dense or CSR; finite. float32 stays float32 in the products.
    y
        The targets, as the loss expects them, shape (n,), or (n, K) for K outputs.
    loss
        A loss of `gramian.objectives`, or a user-defined subclass of `Loss`.
    penalty
        The penalty on the weights, or None.
    functional
        How the losses of the rows are combined into one number.
    intercept
        Whether to fit a bias b.
    outputs
        Number of classes, if the last ones may be absent from y.

    Attributes
    ----------
    size : int
        The number of unknowns.
    n_rows : int
        The number of rows, n.
    shape : tuple
        The shape of the unknowns before they are flattened.

    Examples
    --------
    >>> from gramian.objectives import LinearProblem, SquaredError, L2
    >>> problem = LinearProblem([[0.0], [1.0]], [1.0, 3.0], SquaredError(), L2(1.0))
    >>> problem.value(np.array([2.0, 1.0])), problem.data_value(np.array([2.0, 1.0]))
    (2.0, 0.0)
    >>> problem.gradient(np.array([2.0, 1.0]))
    array([2., 0.])
    """

    def __init__(
        self,
        X: npt.ArrayLike | sp.csr_array,
        y: npt.ArrayLike,
        loss: Loss,
        penalty: Penalty | None = None,
        functional: Functional | None = None,
        *,
        intercept: bool = True,
        outputs: int | None = None,
    ) -> None:
        self.X: Data = _as_data(X)
        self.y = loss.check_targets(y)
        self.loss = loss
        self.penalty = penalty
        self.functional = Mean() if functional is None else functional
        self.intercept = intercept
        n, d = self.X.shape
        self.n_rows = int(n)
        if len(self.y) != n or n == 0 or self.y.ndim > 2:
            raise DataError(
                f"LinearProblem: X has {n} rows and y has shape {self.y.shape}; "
                "pass one target, or one row of targets, per row of X, and at least one row."
            )
        weights = d + (intercept and penalty is not None and penalty.bias)
        if penalty is not None and penalty.features not in (None, weights):
            raise DataError(
                f"LinearProblem: {type(penalty).__name__} has strengths for {penalty.features} "
                f"weights and the problem has {weights}; pass one per feature"
                f"{', and one for the bias' if weights > d else ''}."
            )
        self.shape = _shape(loss, self.y, d + intercept, outputs)
        self.size: int = prod(self.shape)
        self._fixed = self.functional.weights(np.zeros(n)) if self.functional.fixed else None
        self._passes = passes(loss, self.X, intercept)

    def unpack(self, x: Floats) -> tuple[Floats, Floats]:
        """Return weights, shape (d,) or (d, K), and bias, a number or (K,); 0 without one.

        Examples
        --------
        >>> from gramian.objectives import LinearProblem, SquaredError
        >>> LinearProblem([[0.0, 1.0]], [1.0], SquaredError()).unpack(np.array([1.0, 2.0, 3.0]))
        (array([1., 2.]), array(3.))
        """
        w = x.reshape(self.shape)
        d = self.X.shape[1]
        bias = w[d] if self.intercept else np.zeros(self.shape[1:])
        return w[:d], np.asarray(bias)

    def subset(self, rows: npt.NDArray[np.intp], drawn_from: int | None = None) -> "LinearProblem":
        """Return the problem of some rows, drawn from all or from `drawn_from` of them.

        A weighted sum keeps its total weight on average.
        """
        functional = self.functional
        if isinstance(functional, WeightedSum):
            omega = functional.weights(np.zeros(self.n_rows))[rows]
            functional = WeightedSum(omega * ((drawn_from or self.n_rows) / len(rows)))
        return LinearProblem(
            self.X[rows],
            self.y[rows],
            self.loss,
            self.penalty,
            functional,
            intercept=self.intercept,
            outputs=self.shape[1] if len(self.shape) > 1 else None,
        )

    def in_single_precision(self) -> "LinearProblem | None":
        """Return the same problem with faster passes, accurate to about six digits, if available.

        They are used far from a minimum; a solver then continues with this problem itself.
        """
        rough = single_passes(self.loss, self.X, self.intercept)
        if rough is None:
            return None
        problem = copy.copy(self)
        problem._passes = rough
        return problem

    # Available and missing pieces

    def lacking(self) -> dict[Piece, str]:
        """Return the pieces that loss, functional and penalty do not provide, with reasons."""
        loss, penalty, functional = self.loss, self.penalty, self.functional
        of_loss, of_functional = type(loss).__name__, type(functional).__name__
        of_penalty = type(penalty).__name__
        slope = f"{of_loss} has no derivative {loss.kink}"
        kinked_loss = loss.smoothness in ("kinked", "steps")
        kinked_penalty = penalty is not None and not penalty.smooth

        # Each line: the piece, whether a part prevents it, and how; the first reason is reported.
        reasons: list[tuple[Piece, bool, str]] = [
            ("subgradient", loss.smoothness == "steps", slope),
            ("rows", loss.smoothness == "steps", slope),
            ("rows", not functional.fixed, f"{of_functional} is not a sum over rows"),
            ("gradient", kinked_loss, slope),
            ("hessian", loss.smoothness == "once", f"{of_loss} has no second derivative"),
            ("quadratic", not loss.quadratic, f"{of_loss} is not quadratic"),
            ("least squares", not loss.convex, f"{of_loss} is not convex"),
        ]
        for program in PROGRAMS:
            reasons += [
                (program, not loss.pieces(self.y), f"{of_loss} is not piecewise linear"),
                (program, len(self.shape) > 1, "the problem has several outputs"),
            ]
        if not functional.fixed:
            jump = f"{of_functional} has no derivative where two rows share the largest loss"
            reasons += [("gradient", True, jump), ("quadratic", True, jump)]
        reasons += [("prox", kinked_loss or not functional.fixed, _first(reasons, "gradient"))]
        if penalty is not None:
            where = f"{of_penalty} has no derivative {penalty.kink}"
            curved = f"{of_penalty} is not quadratic"
            bent = f"{of_penalty} is not piecewise linear"
            reasons += [
                ("gradient", kinked_penalty, where),
                ("prox", not penalty.has_prox, f"{of_penalty} has no prox here"),
                ("quadratic", not penalty.quadratic, curved),
                ("least squares", not penalty.quadratic, curved),
                ("linear program", not penalty.polyhedral, bent),
                ("quadratic program", not penalty.quadratic, curved),
            ]
        reasons += self._why_no_dual(of_loss, of_penalty, of_functional)
        no_gradient = _first(reasons, "gradient")
        reasons += [("hessian", bool(no_gradient), no_gradient)]
        no_hessian = _first(reasons, "hessian")
        reasons += [("least squares", bool(no_hessian), no_hessian)]
        return {piece: why for piece, true, why in reversed(reasons) if true}

    def _why_no_dual(
        self, of_loss: str, of_penalty: str, of_functional: str
    ) -> list[tuple[Piece, bool, str]]:
        penalty, loss = self.penalty, self.loss
        plain = type(penalty) is L2 and penalty.strength.ndim == 0 and penalty.strength > 0
        sure = type(loss) is not Logistic or bool((self.y * self.y == self.y).all())  # 0 or 1
        strength = f"{of_penalty} is not a squared norm with one positive strength"
        return [
            ("dual", type(loss) not in _WITH_DUAL, f"the dual of {of_loss} is not implemented"),
            ("dual", self.y.ndim > 1, "the problem has several outputs"),
            ("dual", not sure, "a target lies between 0 and 1"),
            ("dual", not plain, strength if penalty is not None else "there is no penalty"),
            ("dual", not self.functional.fixed, f"{of_functional} is not a sum over rows"),
            ("dual", not is_native(self.X), "the compiled core cannot read X without a copy"),
        ]

    # Values and derivatives

    def _omega(self, w: Floats) -> Floats:
        if self._fixed is not None:
            return self._fixed
        return self.functional.weights(self.losses(w.reshape(-1)))

    def losses(self, x: Floats) -> Floats:
        """Return the loss of every row."""
        z = NumPyPasses(self.loss, self.X, self.intercept).scores(x.reshape(self.shape))
        losses = self.loss.value(self.y, z)
        return losses.sum(axis=1) if losses.ndim == 2 else losses

    def data_value(self, x: Floats) -> float:
        """Return the functional of the losses alone, without the penalty.

        Fit with the penalty, evaluate without it: on held-out rows this is the number to report.
        """
        w = x.reshape(self.shape)
        return self._passes.value(self.y, self._omega(w), w)

    def value(self, x: Floats) -> float:
        """Return J(x)."""
        return self.data_value(x) + self.penalty_value(x)

    def value_and_gradient(self, x: Floats) -> tuple[float, Floats]:
        """Return J(x) and a (sub)gradient."""
        J, g = self.smooth_part(x)
        if self.penalty is not None and not self.penalty.smooth:
            J += self.penalty_value(x)
            g = g + self._spread(self.penalty.subgradient(self._penalised(x)))
        return J, g

    def second_order(self, x: Floats) -> tuple[float, Floats, Floats]:
        """Return J(x), its gradient and its Hessian."""
        w = x.reshape(self.shape)
        J, g, H = self._passes.hessian(self.y, self._omega(w), w)
        g = g.reshape(-1)
        if self.penalty is not None:
            v = self._penalised(x)
            J += self.penalty.value(v)
            g[: v.size] += self.penalty.subgradient(v).reshape(-1)
            self.penalty.add_hessian(v, H)
        return J, g, H

    def hessian_product(self, x: Floats, v: Floats) -> Floats:
        """Return the Hessian at x times v, in two passes and without the Hessian."""
        w = x.reshape(self.shape)
        product = self._passes.hessian_product(self.y, self._omega(w), w, v).reshape(-1)
        if self.penalty is not None:
            inner = self.penalty.hessian_product(self._penalised(x), self._penalised(v))
            product = product + self._spread(inner)
        return product

    def hessian_diagonal(self, x: Floats) -> Floats | None:
        """Return sum_i omega_i L''_i x_ij^2 and the penalty's part; None for several outputs."""
        w = x.reshape(self.shape)
        if w.ndim > 1 or (self.penalty is not None and not self.penalty.quadratic):
            return None
        z = NumPyPasses(self.loss, self.X, self.intercept).scores(w)
        c = self._omega(w) * self.loss.curvature(self.y, z)
        diagonal: Floats
        if is_sparse(self.X):
            each = np.square(self.X.data, dtype=float) * np.repeat(c, np.diff(self.X.indptr))
            diagonal = np.bincount(self.X.indices, each, self.X.shape[1]).astype(float)
        else:
            diagonal = np.einsum("i,ij,ij->j", c, self.X, self.X)
        diagonal = np.append(diagonal, c.sum()) if self.intercept else diagonal
        if self.penalty is not None:
            v = self._penalised(x)
            diagonal[: v.size] += self.penalty.hessian_product(v, np.ones(v.size))
        return diagonal

    def rows_gradient(self, x: Floats, rows: npt.NDArray[np.intp]) -> Floats:
        """Return a (sub)gradient of J estimated from some rows, unbiased if they are random.

        ::

            n/|rows| sum_{i in rows} omega_i L'_i (x_i, 1) + dr(w)
        """
        w = x.reshape(self.shape)
        assert self._fixed is not None, "lacking() says that there are no rows"
        omega = self._fixed[rows] * (self.n_rows / len(rows))
        some = passes(self.loss, self.X[rows], self.intercept)
        g = some.gradient(self.y[rows], omega, w)[1].reshape(-1)
        if self.penalty is not None:
            g = g + self._spread(self.penalty.subgradient(self._penalised(x)))
        return g

    def smooth_part(self, x: Floats) -> tuple[float, Floats]:
        """Return value and gradient of J without a nonsmooth penalty."""
        w = x.reshape(self.shape)
        J, g = self._passes.gradient(self.y, self._omega(w), w)
        g = g.reshape(-1)
        if self.penalty is not None and self.penalty.smooth:
            v = self._penalised(x)
            J += self.penalty.value(v)
            g[: v.size] += self.penalty.subgradient(v).reshape(-1)
        return J, g

    def nonsmooth_part(self, x: Floats) -> float:
        """Return the rest of J besides `smooth_part`: a nonsmooth penalty, or 0."""
        return 0.0 if self.penalty is None or self.penalty.smooth else self.penalty_value(x)

    def prox(self, x: Floats, t: float) -> Floats:
        """Return the prox of a nonsmooth penalty, or x itself if there is none."""
        if self.penalty is None or self.penalty.smooth:
            return x
        v = self._penalised(x)
        out = x.copy()
        out[: v.size] = self.penalty.prox(v, t).reshape(-1)
        return out

    def penalty_value(self, x: Floats) -> float:
        """Return the penalty alone."""
        return 0.0 if self.penalty is None else self.penalty.value(self._penalised(x))

    def lipschitz(self, x: Floats) -> float:
        """Return L >= the Hessian's largest eigenvalue everywhere, ignoring nonsmooth penalties.

        ::

            L = sup L'' * lambda_max(sum_i omega_i (x_i, 1) (x_i, 1)') + that of the penalty

        If the curvature of the loss has no bound, the eigenvalue at x.
        """
        w = x.reshape(self.shape)
        omega = self._omega(w)
        if np.isfinite(self.loss.curvature_bound) and self._fixed is not None:
            L = data_lipschitz(self.loss, self.X, self.intercept, omega)
        else:
            L = float(np.linalg.eigvalsh(self._passes.hessian(self.y, omega, w)[2])[-1])
        if self.penalty is not None and self.penalty.smooth:
            L += self.penalty.lipschitz(self._penalised(x))
        return L

    def _penalised(self, x: Floats) -> Floats:
        """Return the penalised unknowns: all, or all but the bias."""
        w = x.reshape(self.shape)
        with_bias = self.penalty is not None and self.penalty.bias
        return w if with_bias else w[: self.X.shape[1]]

    def _spread(self, g: Floats) -> Floats:
        """Insert values of the penalised unknowns into a vector of all unknowns."""
        out = np.zeros(self.size)
        out[: g.size] = g.reshape(-1)
        return out


def _first(reasons: list[tuple[Piece, bool, str]], piece: Piece) -> str:
    return next((why for name, true, why in reasons if name == piece and true), "")


def _as_data(X: npt.ArrayLike | sp.csr_array) -> Data:
    if is_sparse(X):
        return sp.csr_array(X)
    dense = np.asarray(X)
    if dense.ndim != 2:
        raise DataError(f"LinearProblem: X must have shape (n, d); got shape {dense.shape}.")
    return dense if dense.dtype in (np.float32, np.float64) else dense.astype(float)


def _shape(loss: Loss, y: npt.NDArray[np.float64], m: int, outputs: int | None) -> tuple[int, ...]:
    if y.ndim == 2:
        return (m, y.shape[1])
    return (m, outputs or int(y.max()) + 1) if loss.targets == "classes" else (m,)
