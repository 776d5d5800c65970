"""Arguments that several functions share, as given and as refused."""

import numpy as np
import pytest

from gramian.base.errors import DataError, ParameterError
from gramian.evaluate import input_checks as checks


def test_a_sample_is_a_finite_list_of_numbers():
    assert checks.check_sample("f", [1, 2], at_least=2).dtype == np.float64
    for values, phrase in (
        ([1.0], r"f: x must be one-dimensional with at least 2 values; got shape \(1,\)"),
        ([[1.0, 2.0]], r"got shape \(1, 2\)"),
        ([1.0, np.nan], "f: x contains NaN or inf"),
    ):
        with pytest.raises(DataError, match=phrase):
            checks.check_sample("f", values, at_least=2)


def test_a_table_of_scores_has_a_row_per_data_set_and_a_column_per_model():
    table = checks.check_score_table("f", [[1, 2], [3, 4]], rows=2, columns=2)
    assert table.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    for scores, phrase in (
        ([[1, 2]], "at least 2.*at least 2"),
        ([[1], [2]], r"got shape \(2, 1\)"),
        ([[1, 2], [3, np.inf]], "f: scores contains NaN or inf"),
    ):
        with pytest.raises(DataError, match=phrase):
            checks.check_score_table("f", scores, rows=2, columns=2)


def test_options_are_listed_where_one_is_unknown():
    checks.check_alternative("f", "greater")
    checks.check_side("f", "upper")
    with pytest.raises(
        ParameterError, match="alternative must be one of 'two-sided', 'greater', 'less'; got 'up'"
    ):
        checks.check_alternative("f", "up")
    with pytest.raises(ParameterError, match="side must be one of 'two-sided', 'lower', 'upper'"):
        checks.check_side("f", "greater")


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        (lambda v: checks.check_fraction("f", "alpha", v), (1e-9, 0.5), (0, 1, -1, 95, np.nan)),
        (lambda v: checks.check_positive("f", "ratio", v), (1e-9, 7), (0, -1, np.inf, np.nan)),
        (lambda v: checks.check_rope("f", v), (0, 0.01), (-0.01, np.inf, np.nan)),
        (lambda v: checks.check_counts("f", v, 10), (0, 10, 3.0), (-1, 11, 2.5)),
        (lambda v: checks.check_counts("f", 0, v), (1, 2.0), (0, -1, 1.5)),
    ],
    ids=["fraction", "positive", "rope", "errors", "n"],
)
def test_numbers_within_and_outside_their_range(check, good, bad):
    for value in good:
        check(value)
    for value in bad:
        with pytest.raises((DataError, ParameterError), match="f: "):
            check(value)
