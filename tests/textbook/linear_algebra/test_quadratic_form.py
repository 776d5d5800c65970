"""Quadratic forms: values, level sets and minima."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.textbook.linear_algebra import QuadraticForm


def test_values_of_one_point_and_of_rows():
    form = QuadraticForm([[2.0, 1.0], [1.0, 3.0]], b=[1.0, -1.0], c=4.0)
    rows = np.random.default_rng(0).normal(size=(5, 2))
    expected = [x @ form.M @ x + form.b @ x + 4 for x in rows]
    assert_allclose(form(rows), expected)
    assert_allclose(form(rows[0]), expected[0])


def test_the_level_set_ends_at_the_radii_along_the_axes():
    form = QuadraticForm([[5.0, 2.0], [2.0, 3.0]])
    assert_allclose(form((form.axes * form.radii).T), [1, 1])
    assert form.radii[0] < form.radii[1]


def test_the_unit_circle_under_a_matrix_is_the_level_set_of_its_inverse_square():
    A = np.array([[2.0, 1.0], [1.0, 1.0]])
    angles = np.linspace(0, 2 * np.pi, 9)
    image = A @ np.array([np.cos(angles), np.sin(angles)])
    assert_allclose(QuadraticForm(np.linalg.inv(A @ A))(image.T), 1)


def test_a_positive_definite_form_has_one_minimum():
    form = QuadraticForm([[2.0, 1.0], [1.0, 3.0]], b=[1.0, -1.0], c=4.0)
    found = form.minimum()
    assert found.kind == "unique"
    assert_allclose(2 * form.M @ found.x + form.b, 0, atol=1e-14)
    steps = np.random.default_rng(1).normal(size=(50, 2))
    assert (form(found.x + steps) > found.value).all()


def test_a_singular_form_has_a_flat_or_none():
    M = np.array([[1.0, 1.0], [1.0, 1.0]])
    flat = QuadraticForm(M, b=[2.0, 2.0]).minimum()
    assert flat.kind == "flat"
    assert_allclose(flat.x, [-0.5, -0.5])
    assert_allclose(QuadraticForm(M, b=[2.0, 2.0])(flat.x + np.array([3.0, -3.0])), flat.value)
    assert QuadraticForm(M, b=[1.0, 0.0]).minimum() == ("none", None, -np.inf)
    assert QuadraticForm(M).radii[1] == np.inf


def test_an_indefinite_form_has_no_minimum():
    form = QuadraticForm(np.diag([1.0, -1.0]))
    assert form.minimum().kind == "none"
    assert form.definiteness == "indefinite"
    assert np.isnan(form.radii[1])


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="b must have 2 finite values"):
        QuadraticForm(np.eye(2), b=[1.0])
    with pytest.raises(ValueError, match="M must be symmetric"):
        QuadraticForm([[1.0, 2.0], [0.0, 1.0]])
    with pytest.raises(ValueError, match="2 coordinates"):
        QuadraticForm(np.eye(2))([1.0, 2.0, 3.0])
