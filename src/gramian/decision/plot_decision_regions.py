"""The decision regions of a fitted classifier."""

from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.plot import draw_decision_regions

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_decision_regions(
    classifier: Any,
    X: ArrayLike,
    y: ArrayLike,
    *,
    resolution: int = 300,
    ax: "Axes | None" = None,
) -> "Axes":
    """Shade the plane by the class that a fitted classifier predicts, with the points of X.

    Parameters
    ----------
    classifier
        A classifier fitted on two features.
    X
        Points to draw, shape (n, 2).
    y
        Classes of the points, shape (n,).
    resolution
        Grid points along each axis.
    ax
        Axes to draw on; new axes if None.

    Returns
    -------
    ax
        The Axes drawn on.

    Examples
    --------
    >>> from gramian.decision import plot_decision_regions
    >>> from gramian.neighbors import KNeighborsClassifier
    >>> X, y = [[-1.0, 0.0], [1.0, 2.0]], ["a", "b"]
    >>> ax = plot_decision_regions(KNeighborsClassifier(n_neighbors=1).fit(X, y), X, y)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['a', 'b']
    """
    check_is_fitted(classifier)
    n_features = getattr(classifier, "n_features_in_", 2)
    if n_features != 2:
        raise DataError(
            "plot_decision_regions: the classifier must be fitted on two features; "
            f"{type(classifier).__name__} has {n_features}."
        )
    return draw_decision_regions(classifier.predict, X, y, resolution=resolution, ax=ax)
