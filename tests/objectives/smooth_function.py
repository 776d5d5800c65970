"""A smooth function of three unknowns with its derivatives in closed form."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

points = arrays(float, 3, elements=st.floats(-2, 2))


def f(x):
    return float(np.exp(x[0] / 2) * x[1] + np.sin(x[2]) * x[0])


def gradient(x):
    e = np.exp(x[0] / 2)
    return np.array([e * x[1] / 2 + np.sin(x[2]), e, np.cos(x[2]) * x[0]])


def hessian(x):
    e = np.exp(x[0] / 2)
    return np.array(
        [
            [e * x[1] / 4, e / 2, np.cos(x[2])],
            [e / 2, 0, 0],
            [np.cos(x[2]), 0, -np.sin(x[2]) * x[0]],
        ]
    )
