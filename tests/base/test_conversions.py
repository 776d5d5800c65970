import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from gramian import (
    PCA,
    GaussianNB,
    LinearSVR,
    NearestNeighbors,
    Ridge,
    StepwiseSelector,
)
from gramian.base.conversions import (
    EntryError,
    array_of,
    check_positions,
    dense_of,
    parameter_array,
    refuse_masked,
    refuse_times,
    translated,
)
from gramian.base.errors import DataError, ParameterError

X = np.random.default_rng(0).normal(size=(20, 3))
y = X @ [1.0, 2.0, 3.0]


def changed(value):
    table = X.astype(object)
    table[4, 1] = value
    return table


@pytest.mark.parametrize(
    ("value", "phrase"),
    [
        (10**400, "an entry of type int of about 401 digits (row 4, column 1). No float holds it"),
        ({}, "an entry of type dict (row 4, column 1). The argument must be a string or a number"),
        (datetime.date(2026, 1, 1), "an entry of type date (row 4, column 1). Turn times into"),
        (pd.NA, "a missing value, <NA> (row 4, column 1). Impute first"),
        (1 + 2j, "Complex data not supported|an entry of type complex"),
        (Decimal("sNaN"), "an entry of type Decimal"),
    ],
)
def test_an_entry_that_is_no_number_is_named_with_its_place(value, phrase):
    with pytest.raises(DataError) as error:
        Ridge().fit(changed(value), y)
    assert str(error.value).startswith("Ridge: X")
    assert any(part in str(error.value) for part in phrase.split("|"))


@pytest.mark.parametrize(
    "times",
    [
        pd.date_range("2026-01-01", periods=20),
        pd.date_range("2026-01-01", periods=20, tz="UTC"),
        pd.to_timedelta(np.arange(20), unit="h"),
    ],
)
def test_a_column_of_times_is_named(times):
    frame = pd.DataFrame(X, columns=list("abc")).assign(b=times)
    with pytest.raises(
        DataError, match=r"Ridge: X must contain numbers; got .* in column 'b'. Turn"
    ):
        Ridge().fit(frame, y)


@pytest.mark.parametrize("time", [np.datetime64("2026"), np.timedelta64(3, "D")])
def test_a_single_time_among_objects_is_not_counted_in_units_of_its_own(time):
    table = changed(time)
    assert np.asarray(table).dtype == object
    for rows in (table, table.tolist(), list(table), pd.DataFrame(table)):
        with pytest.raises(DataError, match=r"Ridge: X must contain numbers; got .*Turn times"):
            Ridge().fit(rows, y)
    targets = [*y[:-1], time]
    for column in (targets, np.array(targets, dtype=object), pd.Series(targets, dtype=object)):
        with pytest.raises(DataError, match=r"Ridge: y must contain numbers; got .*Turn times"):
            Ridge().fit(X, column)
        with pytest.raises(DataError, match=r"Ridge: sample_weight must contain numbers; got .*64"):
            Ridge().fit(X, y, sample_weight=column)


@pytest.mark.parametrize("model", [Ridge(), LinearSVR()])
@pytest.mark.parametrize("kind", ["datetime64[D]", "timedelta64[D]"])
def test_regressors_refuse_times_as_targets(model, kind):
    times = np.arange(20).astype(kind)
    for targets in (times, list(times), pd.Series(times.astype(kind.replace("[D]", "[s]")))):
        with pytest.raises(DataError, match=f"{type(model).__name__}: y must contain numbers"):
            model.fit(X, targets)


@pytest.mark.parametrize(
    ("parameter", "phrase"),
    [
        ([[1.0, 2.0], [1.0]], "rows of one length; got rows of 1 to 2 entries"),
        ((row for row in X), "must be an array, a list or a frame of numbers; got a generator"),
        (np.zeros(20, dtype="f8,f8"), "Pass each field as a column|Expected 2D"),
        (np.ma.array(X, mask=X > 0), "is a masked array with"),
    ],
)
def test_what_is_no_table_is_refused_by_name(parameter, phrase):
    with pytest.raises(DataError, match=phrase) as error:
        Ridge().fit(parameter, y)
    assert str(error.value).startswith("Ridge: X")


def test_huge_weights_and_targets_are_refused_by_name():
    with pytest.raises(DataError, match=r"GaussianNB: sample_weight must contain numbers; got an"):
        GaussianNB().fit(X, y > 0, sample_weight=[10**400] * 20)
    with pytest.raises(DataError, match=r"Ridge: y must contain numbers; got an entry of type int"):
        Ridge().fit(X, [10**400] * 20)


def outside(table):
    table.indices[-1] = 10**6
    return table


@pytest.mark.parametrize("kind", [sp.csr_array, sp.csc_array, sp.bsr_array])
def test_positions_outside_a_sparse_matrix_are_refused_before_scipy_reads_them(kind):
    with pytest.raises(DataError, match=r"^PCA: X: "):
        check_positions("PCA", "X", outside(kind(X)))
    with pytest.raises(DataError, match="PCA: X"):
        PCA(2).fit(X).inverse_transform(outside(kind(X[:, :2])))
    with pytest.raises(DataError, match="NearestNeighbors: X"):
        NearestNeighbors().fit(outside(kind(X)))
    with pytest.raises(DataError, match="StepwiseSelector: X"):
        StepwiseSelector().fit(X, y).inverse_transform(outside(kind(X)))


def test_coordinates_outside_are_refused_too():
    table = sp.coo_array(X)
    table.row[0] = -1
    with pytest.raises(DataError, match="with an entry outside it"):
        NearestNeighbors().fit(table)


def test_small_tools():
    assert dense_of("PCA", "X", sp.coo_array(X)).tolist() == X.tolist()
    assert dense_of("PCA", "X", X.astype(np.float32)).dtype == np.float32
    assert array_of("PCA", "y", (1, 2)).tolist() == [1, 2]
    assert parameter_array("PCA", "w", [1]).dtype == np.float64
    refuse_times("PCA", "X", X)
    refuse_masked("PCA", "X", np.ma.array(X))
    with pytest.raises(ParameterError, match="PCA: w must be an array of numbers; got "):
        parameter_array("PCA", "w", [10**400])
    with pytest.raises(EntryError, match="PCA: X: odd"):
        translated("PCA", "X", lambda: (_ for _ in ()).throw(TypeError("odd")))
