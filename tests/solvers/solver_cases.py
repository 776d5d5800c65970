"""Solvers by what they need, and three rows for those that take any."""

import numpy as np

X = np.array([[0.0], [1.0], [2.0]])
Y = np.array([0.0, 2.0, 1.0])
ADAPTIVE = {"momentum", "adagrad", "rmsprop", "adam", "amsgrad"}
PROGRAMS = {"linear-program", "quadratic-program"}
