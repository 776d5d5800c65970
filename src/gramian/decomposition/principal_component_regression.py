"""Regression or classification on principal components."""

from typing import Any

from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from gramian.decomposition.pca import PCA
from gramian.linear_model import LinearRegression


def principal_component_regression(
    n_components: Any = None, estimator: Any = None, *, scale: bool = False, whiten: bool = False
) -> Pipeline:
    """Return a pipeline of PCA and a model of the coordinates.

    The components come from the training rows only, not from held-out rows. For
    a number of components by validation see `choose_by_validation`, or search over
    ``pca__n_components``.

    Parameters
    ----------
    n_components
        See `PCA`.
    estimator
        The model; None for `LinearRegression`.
    scale
        Whether to scale columns to variance 1 first (components of the correlation matrix).
    whiten
        Whether coordinates are scaled to variance 1.

    Examples
    --------
    >>> from gramian.decomposition import principal_component_regression
    >>> X = [[0.0, 0.1], [1.0, -0.1], [2.0, 0.0], [3.0, 0.0]]
    >>> model = principal_component_regression(1).fit(X, [0.0, 1.0, 2.0, 3.0])
    >>> model.predict([[4.0, 0.0]]).round(1).tolist()
    [4.0]
    """
    last = LinearRegression() if estimator is None else estimator
    steps = [("scale", StandardScaler())] if scale else []
    return Pipeline([*steps, ("pca", PCA(n_components, whiten=whiten)), ("model", last)])
