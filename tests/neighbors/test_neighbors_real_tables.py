"""Two real tables: distances equal scikit-learn's, and predictions wherever no tie decides."""

import csv
import gzip

import numpy as np
import pytest
import sklearn.neighbors as theirs
from numpy.testing import assert_array_equal

import gramian

K = 5


@pytest.mark.slow
@pytest.mark.parametrize("name", ["letterrecognition", "shuttle"])
def test_neighbours_of_a_real_table_agree_with_scikit_learn(name, data_folder, capsys):
    with gzip.open(data_folder / f"{name}.csv.gz", "rt") as file:
        rows = list(csv.reader(file))[1:]
    order = np.random.default_rng(0).permutation(len(rows))
    X = np.array([row[:-1] for row in rows], dtype=np.float64)[order]
    y = np.array([row[-1] for row in rows])[order]
    cut = 3 * len(X) // 4

    ours = gramian.KNeighborsClassifier(n_neighbors=K).fit(X[:cut], y[:cut])
    # The columns are small integers: the tree's sums of squared differences have no rounding.
    peer = theirs.KNeighborsClassifier(n_neighbors=K, algorithm="kd_tree").fit(X[:cut], y[:cut])
    distances = peer.kneighbors(X[cut:], n_neighbors=K + 1)[0]
    assert_array_equal(ours.kneighbors(X[cut:], n_neighbors=K + 1)[0], distances)

    clear = distances[:, K - 1] < distances[:, K]
    with capsys.disabled():
        ties = np.sum(~clear)
        print(f"\n{name}: {ties} of {len(clear)} rows tie at the {K}-th distance")  # noqa: T201
    assert_array_equal(ours.predict(X[cut:])[clear], peer.predict(X[cut:])[clear])
