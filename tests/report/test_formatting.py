"""Numbers, times and names as readers expect them."""

import math

import pytest

from gramian.report import formatting as f


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"), (math.nan, "–"), (math.inf, "–"), (True, "True"), ("text", "text"),
        (0, "0"), (-12, "−12"), (3.0, "3"), (1234567, "1,234,567"), (-1234.5, "−1,234"),
        (0.00012345, "1.23·10⁻⁴"), (-2e-7, "−2·10⁻⁷"), (12.3456, "12.35"), (2.5e12, "2.5e+12"),
    ],
)  # fmt: skip
def test_numbers(value, text):
    assert f.number(value) == text


def test_columns_of_numbers_are_aligned():
    places = f.decimals([12.5, 3.25, None])
    assert places == 2
    assert [f.fixed(v, places) for v in (12.5, -3.25, None)] == ["12.50", "−3.25", "–"]
    assert f.fixed(-0.0001, 2) == "0.00"  # no minus before zero
    assert f.decimals([0.0]) == 4
    assert f.decimals([]) == 4


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0%"), (1.0, "100%"), (0.05, "5.0%"), (0.995, "99.50%"), (0.42, "42%"),
     (None, "–"), (-0.2, "−20%")],
)  # fmt: skip
def test_percentages(value, text):
    assert f.percent(value) == text


def test_p_values():
    assert [f.p_value(p) for p in (0.05, 0.99999, 0.00005, None)] == ["0.05", "1", "< 0.0001", "–"]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(5e-6, "5 µs"), (0.25, "250 ms"), (59.9, "59.9 s"), (60, "1 min 0 s"), (3700, "1 h 1 min"),
     (None, "–")],
)  # fmt: skip
def test_durations(seconds, text):
    assert f.duration(seconds) == text


def test_texts_are_cut_and_counted():
    assert f.cut("abcdef", 4) == "abc…"
    assert f.cut("abcd", 4) == "abcd"
    assert f.plural(0, "row") == "0 rows"
    assert f.plural(1, "class", "classes") == "1 class"


def test_letters_and_names_of_models():
    assert [f.letter(g) for g in (0, 25, 26, 53)] == ["a", "z", "a2", "b3"]
    assert f.model_name("Classifier") == "Classifier"
    assert len(f.model_name("A" * 60)) == 24
    assert "".join(f.word_parts("max_leaf_nodes")) == "max_leaf_nodes"
