"""What is written beside numbers."""

import pytest

from gramian.data.formats.units import factor, multiplier, same_name, split_currency


@pytest.mark.parametrize(
    ("unit", "wanted", "expected"),
    [
        ("g", "kg", 1e-3),
        ("Kg.", "kg", 1.0),
        ("hours", "min", 60.0),
        ("months", "years", 1 / 12),
        ("oz", "lbs", 1 / 16),
        ("widgets", "widget", 1.0),
        ("mg", "ml", None),
        ("widgets", "kg", None),
    ],
)
def test_units_of_one_quantity_are_converted(unit, wanted, expected):
    assert factor(unit, wanted) == (None if expected is None else pytest.approx(expected))


def test_currencies_have_several_names():
    assert {split_currency(text)[0] for text in ("$", "USD", "US$")} == {"$"}
    assert split_currency("CA$")[0] == split_currency("CAD")[0] == "CA$"
    assert split_currency("Kroner") == ("", "Kroner")


def test_multipliers_and_names():
    assert (multiplier("k"), multiplier("Million"), multiplier("kg")) == (1e3, 1e6, None)
    assert same_name("µm") == same_name("μm")
