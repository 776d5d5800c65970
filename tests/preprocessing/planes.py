"""Whether a plane separates two classes, decided by a linear program."""

import numpy as np
from scipy.optimize import linprog


def separable(X, positive):
    """Whether some w, b have w . x + b >= 1 on the positive rows and <= -1 on the others."""
    signs = np.where(positive, 1.0, -1.0)[:, None]
    A = -signs * np.column_stack([X, np.ones(len(X))])
    b = -np.ones(len(X))
    return linprog(np.zeros(A.shape[1]), A_ub=A, b_ub=b, bounds=(None, None)).success
