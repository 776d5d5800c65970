"""The estimated cost of each solver on a linear problem, from its shape alone."""

from typing import Literal, NamedTuple

from gramian.base.types import is_sparse
from gramian.objectives.linear_problem import LinearProblem
from gramian.solvers.second_order.subsampled_newton import FORMED, NEWTON

ROWS_PER_UNKNOWN = 100  # in a sample: its Hessian is then accurate to about 10 %; with K classes
ROWS_OF_CLASSES = 200  # a row informs K - 1 directions, so this over K - 1 is enough
WORK = 2_000_000_000  # maximum number of multiplications for the Hessian of a sample


class Costs(NamedTuple):
    """Estimated costs of the solvers, in multiplications of a pass for value and gradient.

    The rates were measured with one thread in float64: a call of a pass and the step around it take
    as long as half a million multiplications, a row's exponential 40; in a Gram matrix a
    multiplication costs 0.35, in a factorisation 1. The numbers of steps are typical ones.
    """

    n: int
    m: int
    outputs: int
    values: float  # of a row, at most m

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
            # a preconditioner made along the scores alone is as good as the sample is large
            more = 30 * self.unknowns / sample if self.outputs > 1 else 25
            steps = 5 if formed else 5 + more
            totals["sampled"] = self._on_sample(sample) + steps * self.step(self.n)
        return min(totals, key=totals.__getitem__)

    @property
    def unknowns(self) -> int:
        """The columns, the bias among them, times the outputs."""
        return self.m * self.outputs

    def step(self, rows: int) -> float:
        """Return the cost of a step of L-BFGS on so many rows."""
        return 5e5 + rows * self.outputs * (2 * self.values + 40)

    def hessian(self, rows: int) -> float:
        """Return the cost of a pass for the Hessian, factorised."""
        p = self.unknowns
        multiplication = 0.35 if self.outputs == 1 else 1.5  # rows are multiplied out for classes
        return 6e5 + rows * (multiplication * p**2 / 2 + 4 * p + 40) + p**3 / 3

    def plain_steps(self) -> int:
        """Return how many steps without a preconditioner cost 1.5 times as much as making one.

        0 if they are too few to make progress.
        """
        steps = int(1.5 * self.preconditioner() / self.step(self.n))
        return 0 if steps < 8 else steps

    def preconditioner_rows(self) -> int:
        """Return how many rows give a bound of the Hessian that is a good preconditioner."""
        return min(self.n, max(2000, 8 * self.m))

    def preconditioner(self, rows: int | None = None) -> float:
        """Return the cost of that bound, factorised; one for all outputs."""
        rows = self.preconditioner_rows() if rows is None else rows
        return 5e5 + 0.35 * rows * self.m**2 / 2 + self.m**3 / 3

    def sample(self) -> int:
        """Return how many rows make a sample whose Hessian, or bound of it, is good enough."""
        p = self.unknowns
        if p > FORMED:
            return max(2000, self.n // 8, 5 * self.m)
        each = min(ROWS_PER_UNKNOWN, ROWS_OF_CLASSES // max(1, self.outputs - 1))
        return max(2000, min(each * p, WORK // p**2), 5 * self.m)

    def _on_sample(self, rows: int) -> float:
        """Return the cost of the steps of `SubsampledNewton` on samples, before all rows."""
        if self.unknowns > FORMED:
            return self.preconditioner(rows) + 16 * self.step(rows)
        if self.outputs == 1 and self.m <= NEWTON:
            return 5 * self.hessian(rows)
        return 2 * (self.preconditioner(rows) + 12 * self.step(rows)) + self.hessian(rows)
