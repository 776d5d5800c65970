"""Training on all rows at once, by the solvers of `gramian.solvers`: for small networks."""

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.neural_network.mlp.descent import Descent, Examples, Steps
from gramian.objectives.derivatives import numeric_hessian
from gramian.objectives.problem import Piece, Problem
from gramian.solvers.minimizing import minimize
from gramian.solvers.solver import Iterate, Result, Stop

FullBatch: TypeAlias = Literal["lbfgs", "conjugate", "newton"]

FULL_BATCH: tuple[FullBatch, ...] = ("lbfgs", "conjugate", "newton")
_DECREASE = 2.2e-5  # relative, times tol: at the default tol, where SciPy's L-BFGS-B stops
_LARGEST_HESSIAN = 3000


class NetworkProblem(Problem):
    """The mean loss of a network over all rows, with its penalty, as a function of the parameters.

    The Hessian is computed by differences of the gradient, 2 gradients for each parameter.
    """

    def __init__(
        self, descent: Descent, steps: Steps, rows: Examples, max_fun: int | None = None
    ) -> None:
        self._descent = descent
        self._steps = steps
        self._rows = rows
        self._left = max_fun
        self.size = descent.network.size
        self.n_rows = 0

    def lacking(self) -> dict[Piece, str]:
        """Return the pieces that a network lacks."""
        reason = "a network is neither linear nor convex"
        pieces: tuple[Piece, ...] = (
            "least squares",
            "prox",
            "quadratic",
            "linear program",
            "quadratic program",
            "dual",
        )
        return {**dict.fromkeys(pieces, reason), "rows": "it is trained on all rows here"}

    def value(self, x: Floats) -> float:
        """Return the mean loss."""
        return self.value_and_gradient(x)[0]

    def value_and_gradient(self, x: Floats) -> tuple[float, Floats]:
        """Return the mean loss and its gradient, by backpropagation."""
        if self._left is not None:
            if self._left == 0:
                raise Stop("stopped after max_fun evaluations; raise it")
            self._left -= 1
        mask = self._descent.mask
        descent = replace(self._descent, parameters=x if mask is None else x * mask)
        value, gradient = descent.gradient(self._steps, self._rows)
        return value, np.asarray(gradient, dtype=float)

    def second_order(self, x: Floats) -> tuple[float, Floats, Floats]:
        """Return value, gradient and Hessian."""
        value, gradient = self.value_and_gradient(x)
        return value, gradient, self.hessian(x)

    def hessian(self, x: Floats) -> Floats:
        """Return the Hessian by differences of the gradient."""
        freely = NetworkProblem(self._descent, self._steps, self._rows)  # not counted by max_fun
        H = numeric_hessian(freely.value, x, freely.gradient)
        if self._descent.mask is not None:  # what does not exist has no slope, and takes no step
            np.fill_diagonal(H, np.where(self._descent.mask > 0, H.diagonal(), 1.0))
        return H


def minimize_loss(
    owner: str,
    descent: Descent,
    steps: Steps,
    rows: Examples,
    solver: FullBatch,
    *,
    max_iter: int,
    max_fun: int,
    tol: float,
    callback: Callable[[int, Iterate], object],
) -> Result:
    """Minimise the mean loss from the parameters of `descent`, in float64."""
    if solver == "newton" and descent.network.size > _LARGEST_HESSIAN:
        raise DataError(
            f"{owner}: solver='newton' computes a Hessian, of at most {_LARGEST_HESSIAN} "
            f"parameters; this network has {descent.network.size}. Use solver='lbfgs'."
        )
    double = replace(
        descent,
        parameters=descent.parameters.astype(float),
        mask=None if descent.mask is None else descent.mask.astype(float),
    )
    problem = NetworkProblem(double, steps, rows.astype(np.float64), max_fun)
    result = minimize(
        problem,
        solver,
        double.parameters,
        trace=False,
        callback=callback,
        max_iter=max_iter,
        tol=tol,
        decrease=_DECREASE * tol,
    )
    return result if double.mask is None else replace(result, x=result.x * double.mask)
