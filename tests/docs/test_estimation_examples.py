"""The examples of estimation and of known densities run, and what their texts claim holds."""

import numpy as np
import pytest

from tests.docs.test_examples import run


def test_costs_and_priors_move_the_boundary():
    found = run("plot_bayes_risk")
    points = {name: p.boundaries().points[0] for name, p in found["problems"].items()}
    assert points["equal"] == pytest.approx(1.0)
    assert points["second is rare"] == pytest.approx(2.098612, abs=1e-6)
    assert points["equal"] < points["and costs 5"] < points["second is rare"]
    assert len(found["wide"].boundaries().points) == 2
    assert found["error"].value >= found["problems"]["equal"].bayes_risk().value


def test_a_prior_becomes_a_posterior():
    found = run("plot_prior_to_posterior")
    assert found["best"] == pytest.approx(0.8)
    assert (found["belief"].a, found["belief"].b) == (10, 4)
    np.testing.assert_allclose(found["grid"].mean, [found["x"].mean(), found["x"].var()], rtol=0.1)
