"""The estimated cost of each solver on a linear problem, from its shape alone."""

from typing import Literal, NamedTuple

from gramian.base.types import is_sparse
from gramian.objectives.linear_problem import LinearProblem
from gramian.solvers.second_order.subsampled_newton import FORMED, NEWTON

# Rows per unknown in a sample whose Hessian is accurate to about 10%. With K classes a row informs
# K - 1 directions, so ROWS_PER_CLASS_UNKNOWN / (K - 1) rows are enough.
ROWS_PER_UNKNOWN = 100
ROWS_PER_CLASS_UNKNOWN = 200
MAX_HESSIAN_WORK = 2_000_000_000  # maximum number of multiplications for the Hessian of a sample


class Costs(NamedTuple):
    """Estimated costs of the solvers; the unit is one multiplication in a pass over the rows.

    The rates were measured with one thread in float64: the overhead of a pass and its step is half
    a million multiplications, the exponential of a row 40; a multiplication costs 0.35 in a Gram
    matrix and 1 in a factorisation. The numbers of steps are typical ones.
    """

    n: int
    m: int
    outputs: int
    values: float  # stored values per row, at most m

    @classmethod
    def of(cls, problem: LinearProblem) -> "Costs":
        """Return the costs of a problem from its shape."""
        n, m = problem.n_rows, problem.shape[0]
        values = problem.X.nnz / n + 1 if is_sparse(problem.X) else m
        return cls(n, m, problem.size // m, values)

    def cheapest(self) -> Literal["newton", "sampled", "preconditioner"]:
        """Return the cheapest solver."""
        sample = self.sample()
        formed = self.unknowns <= FORMED
        steps_with_bound = 12 if self.outputs == 1 else 25  # a looser bound for classes
        totals: dict[Literal["newton", "sampled", "preconditioner"], float] = {
            "newton": 5 * self.hessian(self.n),
            "preconditioner": self.preconditioner() + steps_with_bound * self.step(self.n),
        }
        if self.n >= 1.5 * sample:
            # a preconditioner along the scores alone improves with the size of the sample
            more = 30 * self.unknowns / sample if self.outputs > 1 else 25
            steps = 5 if formed else 5 + more
            totals["sampled"] = self._on_sample(sample) + steps * self.step(self.n)
        return min(totals, key=totals.__getitem__)

    @property
    def unknowns(self) -> int:
        """Number of columns, with the bias, times the number of outputs."""
        return self.m * self.outputs

    def step(self, rows: int) -> float:
        """Return the cost of an L-BFGS step on this number of rows."""
        return 5e5 + rows * self.outputs * (2 * self.values + 40)

    def hessian(self, rows: int) -> float:
        """Return the cost of computing the Hessian and factorising it."""
        p = self.unknowns
        multiplication = 0.35 if self.outputs == 1 else 1.5  # a product per pair of classes
        return 6e5 + rows * (multiplication * p**2 / 2 + 4 * p + 40) + p**3 / 3

    def plain_steps(self) -> int:
        """Return how many plain steps cost 1.5 times as much as building a preconditioner.

        0 if they are too few to make progress.
        """
        steps = int(1.5 * self.preconditioner() / self.step(self.n))
        return 0 if steps < 8 else steps

    def preconditioner_rows(self) -> int:
        """Return how many rows give a bound of the Hessian that is a good preconditioner."""
        return min(self.n, max(2000, 8 * self.m))

    def preconditioner(self, rows: int | None = None) -> float:
        """Return the cost of that bound and its factorisation, shared by all outputs."""
        rows = self.preconditioner_rows() if rows is None else rows
        return 5e5 + 0.35 * rows * self.m**2 / 2 + self.m**3 / 3

    def sample(self) -> int:
        """Return the size of a sample whose Hessian, or a bound of it, is accurate enough."""
        p = self.unknowns
        if p > FORMED:
            return max(2000, self.n // 8, 5 * self.m)
        each = min(ROWS_PER_UNKNOWN, ROWS_PER_CLASS_UNKNOWN // max(1, self.outputs - 1))
        return max(2000, min(each * p, MAX_HESSIAN_WORK // p**2), 5 * self.m)

    def _on_sample(self, rows: int) -> float:
        """Return the cost of the steps of `SubsampledNewton` on samples."""
        if self.unknowns > FORMED:
            return self.preconditioner(rows) + 16 * self.step(rows)
        if self.outputs == 1 and self.m <= NEWTON:
            return 5 * self.hessian(rows)
        return 2 * (self.preconditioner(rows) + 12 * self.step(rows)) + self.hessian(rows)
