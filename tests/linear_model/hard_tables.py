"""Small tables on which descent is hard: similar columns, different units, duplicates, n < d."""

import numpy as np

HARD = ("alike", "units", "duplicates", "wide")


def hard_table(name, seed=0):
    """Columns and a target that depends on a third of them."""
    rng = np.random.default_rng(seed)
    if name == "alike":
        X = rng.normal(size=(40, 1)) + 1e-2 * rng.normal(size=(40, 25))
    elif name == "units":
        X = rng.normal(size=(60, 9)) * np.logspace(-8, 8, 9)
    elif name == "duplicates":
        X = rng.normal(size=(30, 6))
        X = np.hstack([X, X, X[:, ::-1] * 2, np.ones((30, 1))])
        X = np.vstack([X, X[:10]])
    else:
        X = rng.normal(size=(25, 60)) + rng.normal(size=(25, 1))
    spread = X.std(axis=0)
    plain = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    y = plain[:, ::3] @ rng.normal(size=plain[:, ::3].shape[1]) + 0.3 * rng.standard_t(
        2, size=len(X)
    )
    return X, y
