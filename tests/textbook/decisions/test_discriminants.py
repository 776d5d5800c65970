"""Discriminant functions: every form decides alike."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm

from gramian.textbook.decisions import discriminant_difference, discriminants
from tests.decision.conftest import NAMES, PROBABILITIES, cancer


def test_discriminants_of_every_form_name_the_same_state():
    """DT-13: -R, P(C|x), p(x|C)P(C) and its logarithm; two classes by the sign of g1 - g2."""
    problem = cancer(costs=None)
    best = problem.best_actions()
    joint = np.array(PROBABILITIES["likelihoods"]).T * PROBABILITIES["priors"]
    for form in ("risk", "posterior", "joint", "log"):
        g = problem.discriminants(form)
        assert g.argmax(axis=1).tolist() == best.tolist()
        difference = problem.discriminant_difference(form)
        assert_allclose(difference, g[:, 0] - g[:, 1])
        assert (difference < 0).tolist() == (best == 1).tolist()
    assert_allclose(problem.discriminants("joint"), joint)
    assert_allclose(problem.discriminants("log"), np.log(joint))
    assert_allclose(problem.discriminants("posterior"), problem.posteriors())
    ratios = [problem.log_likelihood_ratio(x) for x in NAMES["observations"]]
    assert_allclose(problem.discriminant_difference("log"), np.array(ratios) + np.log(1 / 9))


def test_discriminants_of_densities():
    x = np.linspace(-3, 5, 9)[:, None]
    p = norm.pdf(x, loc=[0.0, 2.0])
    g = discriminant_difference(p, [0.9, 0.1], form="log")
    assert_allclose(g, np.log(9) + 2 - 2 * x[:, 0])  # boundary at 1 + ln(9) / 2
    assert ((g > 0) == (x[:, 0] < 2.098612)).all()
    costly = discriminants(p, [0.9, 0.1], costs=[[0, 9], [1, 0]])
    assert_allclose(costly.argmax(axis=1), (x[:, 0] > 1).astype(int))
    assert discriminants([[0.0, 0.0]], [0.3, 0.7], form="posterior").tolist() == [[0.3, 0.7]]


def test_bad_discriminants_are_refused():
    with pytest.raises(ValueError, match="form must be"):
        discriminants([[1.0, 1.0]], [0.5, 0.5], form="sum")
    with pytest.raises(ValueError, match="costs can only be used with form='risk'"):
        discriminants([[1.0, 1.0]], [0.5, 0.5], costs=[[0, 1], [1, 0]], form="log")
    with pytest.raises(ValueError, match="cannot be used with costs"):
        cancer().discriminants("log")
    with pytest.raises(ValueError, match="column for each of the 2 classes"):
        discriminants([[1.0, 1.0, 1.0]], [0.5, 0.5])
    with pytest.raises(ValueError, match="finite numbers >= 0"):
        discriminants([[-1.0, 1.0]], [0.5, 0.5])
    with pytest.raises(ValueError, match="two classes"):
        discriminant_difference([[1.0, 1.0, 1.0]], [0.2, 0.3, 0.5])
    with pytest.raises(ValueError, match="needs two actions; there are 3"):
        cancer(costs=[[0, 1], [5, 0], [1, 1]]).discriminant_difference()
