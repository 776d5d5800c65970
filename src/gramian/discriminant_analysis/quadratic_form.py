"""Discriminants as quadratic polynomials, and the points where two of them are equal."""

from typing import NamedTuple

import numpy as np

from gramian.base.types import Floats


class QuadraticForm(NamedTuple):
    """The discriminants g_k(x) = x' W_k x + w_k' x + w0_k."""

    quadratic: Floats  # (K, d, d)
    linear: Floats  # (K, d)
    constant: Floats  # (K,)


def equal_points(form: QuadraticForm, first: int, second: int) -> Floats:
    """Return the sorted points at which two discriminants of one variable are equal."""
    W = form.quadratic
    a, b, c = (float((v[second] - v[first]).ravel()[0]) for v in form)
    if abs(a) <= 1e-12 * (abs(W[first]) + abs(W[second])).max():
        return np.array([-c / b]) if b else np.empty(0)
    discriminant = b * b - 4 * a * c
    if discriminant < 0:
        return np.empty(0)
    q = -0.5 * (b + np.copysign(np.sqrt(discriminant), b))  # no cancellation
    return np.unique([q / a, c / q] if q else [0.0])
