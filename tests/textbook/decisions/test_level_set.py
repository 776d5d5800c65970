import numpy as np
import pytest

from gramian import LogisticRegression
from gramian.base.errors import DataError, ParameterError
from gramian.textbook.decisions import level_set


def test_all_roots_on_a_line():
    found = level_set(lambda x: np.sin(x), (-7.0, 7.0))
    np.testing.assert_allclose(found, [-2 * np.pi, -np.pi, 0, np.pi, 2 * np.pi], atol=1e-15)
    assert level_set(lambda x: x**2 + 1, (-1, 1)).size == 0
    np.testing.assert_allclose(level_set(np.exp, (-5, 5), level=2.0), [np.log(2)])


def test_curves_in_the_plane_at_several_values():
    f = lambda x: (x**2).sum(axis=1)  # noqa: E731
    for level in (0.25, 1.0, 2.25):
        (curve,) = level_set(f, [(-2, 2), (-2, 2)], level=level)
        np.testing.assert_allclose(np.hypot(*curve.T), np.sqrt(level), atol=2e-3)


def test_the_boundary_of_a_classifier_is_its_line():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    model = LogisticRegression().fit(X, X @ [1, 2] > 0.3)
    (line,) = level_set(model.decision_function, [(-2, 2), (-2, 2)])
    np.testing.assert_allclose(model.decision_function(line), 0, atol=1e-9)
    (half,) = level_set(lambda x: model.predict_proba(x)[:, 1], [(-2, 2), (-2, 2)], level=0.5)
    np.testing.assert_allclose(model.decision_function(half), 0, atol=0.02)


@pytest.mark.parametrize(
    ("limits", "f", "more", "match"),
    [
        ((1, 0), np.sin, {}, "below its high"),
        ((0, np.inf), np.sin, {}, "finite"),
        ((0, 1, 2), np.sin, {}, "limits must be"),
        ((0, 1), np.sin, {"resolution": 1}, "resolution"),
        ((0, 1), lambda x: x * np.nan, {}, "not NaN"),
        ((0, 1), lambda x: 1.0, {}, "one number for each"),
    ],
)
def test_bad_input(limits, f, more, match):
    with pytest.raises((DataError, ParameterError), match=match):
        level_set(f, limits, **more)
