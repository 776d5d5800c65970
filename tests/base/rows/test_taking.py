"""Rows of any table, in the form of the table."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from gramian.base.rows.taking import number_of_rows, take

X = np.arange(12.0).reshape(4, 3)
FORMS = {
    "array": X,
    "fortran": np.asfortranarray(X),
    "csr": sp.csr_array(X),
    "csc": sp.csc_array(X),
    "coordinates": sp.dok_array(X),
    "pandas": pd.DataFrame(X, index=[9, 8, 7, 6]),
    "polars": pl.DataFrame(X),
    "lists": X.tolist(),
}


@pytest.mark.parametrize("table", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("rows", [[2, 0], [1, 1, 3], []])
def test_rows_are_taken_by_place_in_the_form_of_the_table(table, rows):
    part = take(table, np.array(rows, dtype=np.intp))
    assert isinstance(part, sp.sparray) if sp.issparse(table) else type(part) is type(table)
    assert number_of_rows(part) == len(rows)
    dense = part.toarray() if sp.issparse(part) else np.asarray(part).reshape(len(rows), 3)
    np.testing.assert_array_equal(dense, X[np.array(rows, dtype=int)])


@pytest.mark.parametrize("column", [X[:, 0], pd.Series(X[:, 0]), pl.Series(X[:, 0]), list("abcd")])
def test_a_column_keeps_its_form_too(column):
    part = take(column, np.array([3, 1]))
    assert type(part) is type(column)
    assert list(part) == [list(column)[3], list(column)[1]]
    assert number_of_rows(column) == 4
