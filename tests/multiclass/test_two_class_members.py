import numpy as np

from gramian import KNeighborsClassifier, LogisticRegression, OneVsRestClassifier
from gramian.multiclass.two_class_members import rows_of


def test_the_members_say_what_is_taken():
    assert OneVsRestClassifier(LogisticRegression()).takes_sparse
    assert (
        OneVsRestClassifier(KNeighborsClassifier(metric="precomputed"))
        .__sklearn_tags__()
        .input_tags.pairwise
    )


def test_rows_of_a_square_matrix_are_columns_too():
    matrix = np.arange(9.0).reshape(3, 3)
    assert rows_of(matrix, np.array([0, 2]), pairwise=True).tolist() == [[0, 2], [6, 8]]
    assert rows_of(matrix, np.array([0, 2]), pairwise=False).shape == (2, 3)
