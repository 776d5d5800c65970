"""Marks of missing values."""

import pytest

from gramian.data.formats.missing import is_missing, is_weak_mark


@pytest.mark.parametrize("text", ["", " ", "NA", "n/a", "NaN", "#DIV/0!", "<NA>", "N.A.", "?"])
def test_missing_anywhere(text):
    assert is_missing(text)
    assert not is_weak_mark(text)


@pytest.mark.parametrize("text", ["-", "none", "Unknown", "—", "TBD"])
def test_missing_among_numbers_and_dates(text):
    assert is_weak_mark(text)
    assert not is_missing(text)


def test_words_that_resemble_a_mark_are_not_missing():
    assert not is_missing("Nancy")
    assert not is_weak_mark("nonesuch")
