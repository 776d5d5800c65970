"""Problems that the tests of the solvers share."""

import numpy as np
from hypothesis import strategies as st

from gramian.objectives import L2, Function, LinearProblem, Logistic


def quadratic(A, b):
    """1/2 x'Ax - b'x, whose minimum solves A x = b."""
    A, b = np.asarray(A, dtype=float), np.asarray(b, dtype=float)
    return Function(lambda x: x @ A @ x / 2 - b @ x, lambda x: A @ x - b, lambda x: A, size=len(b))


SIZES, CONDITIONS = st.integers(1, 5), st.floats(1, 100)


@st.composite
def bowls(draw, d=SIZES, kappa=CONDITIONS):
    """A symmetric positive definite matrix of a condition number, and a right-hand side."""
    n, k, seed = draw(d), draw(kappa), draw(st.integers(0, 10**6))
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.normal(size=(n, n)))
    eigenvalues = np.geomspace(1, k, n)
    return (Q * eigenvalues) @ Q.T, rng.normal(size=n)


def rosenbrock():
    """Rosenbrock's valley; minimum 0 at (1, 1)."""
    return Function(
        lambda x: (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2,
        lambda x: np.array(
            [
                -2 * (1 - x[0]) - 400 * x[0] * (x[1] - x[0] ** 2),
                200 * (x[1] - x[0] ** 2),
            ]
        ),
        lambda x: np.array([[2 - 400 * (x[1] - 3 * x[0] ** 2), -400 * x[0]], [-400 * x[0], 200.0]]),
        size=2,
    )


def logistic(n=60, d=4, strength=0.05, seed=0, **options):
    """A logistic regression with noise, and its data."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = (rng.random(n) < 1 / (1 + np.exp(-X @ rng.normal(size=d)))).astype(float)
    return LinearProblem(X, y, Logistic(), L2(2 * strength) if strength else None, **options)


def labelled_rows(n=40, seed=0):
    """Rows of two overlapping classes, -1 and 1."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, np.where(X[:, 0] + 0.8 * rng.normal(size=n) > 0, 1.0, -1.0)
