"""The examples of Gaussian classes run, and what their texts claim holds."""

import numpy as np
import pytest

from tests.docs.test_examples import run


def test_gaussian_classes_surfaces_contours_and_regions():
    found = run("plot_gaussian_classes")
    errors, shares, surfaces = found["errors"], found["shares"], found["surfaces"]
    assert errors["Bayes rule"] <= min(errors["QDA"], errors["LDA"])
    assert errors["QDA"] == pytest.approx(errors["Bayes rule"], abs=0.005)
    assert shares["QDA"] <= shares["isotropic LDA"]
    rows = np.array([[1.0, 1.0], [2.0, 0.0]])
    first, second = surfaces["first density"](rows), surfaces["second density"](rows)
    assert surfaces["posterior of the second class"](rows) == pytest.approx(
        second / (first + second)
    )
    odds = np.log(second / first)
    assert surfaces["difference of discriminants"](rows) == pytest.approx(odds)
