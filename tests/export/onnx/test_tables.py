"""The preparation of a table, in ONNX Runtime as in Python."""

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gramian import TablePreparer
from gramian.base.errors import DataError
from gramian.export.onnx.graph import Graph, Results
from gramian.export.onnx.tables import add_columns, column_inputs, missing_label
from tests.export.onnx.tables import answers, new_rows, shop

pytest.importorskip("onnx", reason="needs the extra onnx")
pytest.importorskip("onnxruntime", reason="ONNX Runtime checks the answers")

COLUMNS = ["label", "income, net", "town", "street", "when", "flag"]


def matrix(preparer, inputs):
    graph = Graph()
    rows = graph.cast(add_columns(graph, preparer), "float32")
    return answers(graph.finish(Results(variable=rows)), inputs)["variable"]


@pytest.mark.parametrize("categories", ["one-hot", "codes"])
@pytest.mark.parametrize("missing", ["impute", "keep"])
@pytest.mark.parametrize("scale", [True, False])
def test_the_matrix_is_the_same(categories, missing, scale):
    preparer = TablePreparer(categories=categories, missing=missing, scale=scale, max_levels=10)
    preparer.fit(shop().select(COLUMNS))
    for table in (shop().select(COLUMNS), new_rows().select(COLUMNS)):
        found = matrix(preparer, column_inputs(preparer, table))
        assert_allclose(found, preparer.transform(table), rtol=1e-6, atol=1e-6)


def test_months_and_weekdays_of_400_years():
    """The calendar repeats after 400 years; leap years, ends of months, times before 1970."""
    days = np.arange(np.datetime64("1799-12-28"), np.datetime64("2200-01-05"))
    times = days.astype("datetime64[us]") + np.arange(len(days)) * 1_234_567_891 % 86_400_000_000
    frame = pl.DataFrame({"when": times})
    preparer = TablePreparer({"when": "date"}, scale=False).fit(frame)
    found = matrix(preparer, column_inputs(preparer, frame))
    expected = preparer.transform(frame)
    assert_array_equal(found[:, 1:3], expected[:, 1:3])
    assert_allclose(found, expected, rtol=1e-6)


def test_infinite_and_missing_numbers_are_imputed():
    frame = pl.DataFrame({"a": [1.0, 2.0, np.inf, None, 5.0], "b": [1.0, 2.0, 3.0, 4.0, 5.0]})
    preparer = TablePreparer().fit(frame)
    inputs = {name: frame[name].cast(float).fill_null(np.nan).to_numpy()[:, None] for name in "ab"}
    assert_allclose(matrix(preparer, inputs), preparer.transform(frame), atol=1e-6)


def test_an_array_is_one_input():
    X = np.array([[1.0, np.nan], [2.0, 5.0], [4.0, 7.0]])
    preparer = TablePreparer().fit(X)
    assert_allclose(matrix(preparer, {"X": X}), preparer.transform(X), atol=1e-6)


def test_an_empty_category_is_not_a_missing_one():
    frame = pl.DataFrame({"a": ["", "x", None, "", "x", "y"], "b": range(6)})
    preparer = TablePreparer({"a": "categorical", "b": "numeric"}).fit(frame)
    assert missing_label(preparer, "a") == "<missing>"
    found = matrix(preparer, column_inputs(preparer, frame))
    assert_allclose(found, preparer.transform(frame), atol=1e-6)


def test_kinds_without_a_rule_are_refused():
    preparer = TablePreparer({"b": "numeric"}).fit(pl.DataFrame({"b": range(6)}))
    preparer.kinds_ = {"b": "picture"}
    with pytest.raises(DataError, match="columns of the kind 'picture' cannot be exported"):
        add_columns(Graph(), preparer)
