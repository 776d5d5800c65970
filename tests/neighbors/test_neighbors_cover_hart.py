"""The error of one neighbour, with many rows, is below twice the Bayes risk (Cover, Hart 1967)."""

import numpy as np
import pytest

from gramian import KNeighborsClassifier


def bound(bayes, classes):
    """2 B - K / (K - 1) B^2."""
    return 2 * bayes - classes / (classes - 1) * bayes**2


def test_a_bayes_risk_of_a_tenth():
    """At most 0.19 for any number of classes, 0.18 for two."""
    assert bound(0.1, 2) == pytest.approx(0.18)
    assert bound(0.1, 10**9) == pytest.approx(0.19)


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("bayes", [0.05, 0.1, 0.3])
def test_one_neighbour_meets_the_bound_with_equality_where_the_posterior_is_constant(
    rng, classes, bayes
):
    """With P(1) = 1 - B and the others equal everywhere, the limit is the bound itself."""
    posterior = np.r_[1 - bayes, np.full(classes - 1, bayes / (classes - 1))]
    X, Q = rng.uniform(size=(20_000, 1)), rng.uniform(size=(20_000, 1))
    y, truth = (rng.choice(classes, p=posterior, size=20_000) for _ in range(2))
    error = np.mean(KNeighborsClassifier(n_neighbors=1).fit(X, y).predict(Q) != truth)
    assert error == pytest.approx(bound(bayes, classes), abs=0.015)


def test_one_neighbour_is_between_the_bayes_risk_and_the_bound(rng):
    """Posterior x on [0, 1]: B = 1/4, one neighbour 2 E[x(1 - x)] = 1/3, the bound 3/8."""
    X, Q = rng.uniform(size=(30_000, 1)), rng.uniform(size=(30_000, 1))
    y, truth = (rng.uniform(size=len(X)) < Z[:, 0] for Z in (X, Q))
    error = np.mean(KNeighborsClassifier(n_neighbors=1).fit(X, y).predict(Q) != truth)
    assert 0.25 < error < bound(0.25, 2)
    assert error == pytest.approx(1 / 3, abs=0.012)


@pytest.mark.slow
def test_many_neighbours_come_near_to_the_bayes_risk(rng):
    """Fix and Hodges 1951: with k growing and k / n vanishing, the error tends to B."""
    X, Q = rng.uniform(size=(30_000, 1)), rng.uniform(size=(30_000, 1))
    y, truth = (rng.uniform(size=len(X)) < Z[:, 0] for Z in (X, Q))
    errors = [
        np.mean(KNeighborsClassifier(n_neighbors=k).fit(X, y).predict(Q) != truth)
        for k in (1, 11, 301)
    ]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] == pytest.approx(0.25, abs=0.01)
