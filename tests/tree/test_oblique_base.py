"""Parameters and projections that oblique trees have in common."""

import pytest

from gramian.base.errors import DataError
from gramian.tree import (
    ObliqueTreeClassifier,
    leaf_cells,
)


def test_conics_find_a_circle(rng):
    X = rng.uniform(-1, 1, size=(400, 2))
    y = (X**2).sum(axis=1) < 0.5
    lines = ObliqueTreeClassifier().fit(X, y)
    conics = ObliqueTreeClassifier(shape="quadratic").fit(X, y)
    drawn = ObliqueTreeClassifier(
        shape="quadratic", split="random", n_candidates=300, max_depth=3, random_state=0
    ).fit(X, y)
    assert conics.score(X, y) == 1
    assert conics.get_n_leaves() < lines.get_n_leaves()
    assert drawn.score(X, y) > 0.93
    with pytest.raises(DataError, match="do not have polygonal cells"):
        leaf_cells(conics, (-1, 1, -1, 1))


@pytest.mark.parametrize("scale", [1e-300, 1e150, 1e300])
def test_columns_of_any_size(diagonal, scale):
    X, y = diagonal
    assert ObliqueTreeClassifier().fit(X * scale, y).score(X * scale, y) == 1
    rows = X * [1.0, scale]
    assert ObliqueTreeClassifier(max_depth=1).fit(rows, y).score(rows, y) == 1


def test_squares_that_overflow_are_reported(diagonal):
    X, y = diagonal
    with pytest.raises(DataError, match="scale the columns"):
        ObliqueTreeClassifier(shape="quadratic").fit(X * 1e200, y)
