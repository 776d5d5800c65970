"""Built-in example tables."""

import pytest

from gramian.data import load_example


def test_the_examples_are_built_in():
    for name, rows in {"wine": 178, "iris": 150, "diabetes": 442, "digits": 1797}.items():
        table, target = load_example(name)
        assert table.frame.height == rows
        assert target in table.frame.columns
    with pytest.raises(ValueError, match="the examples are breast-cancer"):
        load_example("beer")
