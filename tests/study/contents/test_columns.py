"""Columns have the type of their kind."""

from gramian.study.contents.columns import CategoricalColumn, Column, NumericColumn


def test_each_kind_has_its_type(classes):
    found = {column.name: column for column in classes.columns.shown}
    kinds = {name: type(column) for name, column in found.items()}
    assert kinds == {
        "bought": CategoricalColumn, "age": NumericColumn, "income": NumericColumn,
        "town": CategoricalColumn, "country": CategoricalColumn, "customer": Column,
    }  # fmt: skip
    assert sum(found["age"].histogram.counts) == 120
    assert len(found["age"].histogram.edges) == len(found["age"].histogram.counts) + 1
    assert sum(level.rows for level in found["town"].levels) == 120
