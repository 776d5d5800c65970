"""Inputs of an ONNX graph for the columns of a table, and the preparation of the model's matrix."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.data.columns import check_frame, dates_of, labels_of, numbers_of
from gramian.data.preparer import TablePreparer
from gramian.export.onnx.graph import Graph

_DAY, _HOUR = 86_400e6, 3_600e6  # microseconds
_ABOUT = {
    "numeric": "numeric; NaN if missing",
    "date": "days since 1970-01-01, with fractions; NaN if missing",
}


def add_columns(graph: Graph, preparer: TablePreparer) -> str:
    """Add an input for each column of the table and the steps of the preparer.

    Returns the matrix, in float64.
    """
    texts = [name for name, kind in preparer.kinds_.items() if kind == "text"]
    if texts:
        raise DataError(
            f"to_onnx: TablePreparer: the text column {texts[0]!r} cannot be exported, because "
            "ONNX has no operator that splits text into words; drop the column and fit again."
        )
    unsupported = set(preparer.kinds_.values()) - {"numeric", "categorical", "date"}
    if unsupported:
        raise DataError(
            f"to_onnx: TablePreparer: columns of the kind {sorted(unsupported)[0]!r} cannot be "
            "exported; drop them and fit again."
        )
    if not hasattr(preparer, "feature_names_in_"):
        return _prepared(graph, preparer, graph.input("X", "float64", preparer.n_features_in_), [])
    inputs = {}
    for name, kind in preparer.kinds_.items():
        if kind == "categorical":
            description = f"categorical; {missing_label(preparer, name)!r} if missing"
            inputs[name] = graph.input(name, "string", 1, description)
        else:
            inputs[name] = graph.input(name, "float64", 1, _ABOUT[kind])
    blocks = [
        _category(graph, preparer, name, inputs[name])
        for name in _columns_of_kind(preparer, "categorical")
    ]
    numbers = [inputs[name] for name in _columns_of_kind(preparer, "numeric")]
    numbers += [_date_parts(graph, inputs[name]) for name in _columns_of_kind(preparer, "date")]
    if not numbers:
        return graph.concatenate(blocks)
    values = graph.concatenate(numbers)
    values = graph.op("Where", graph.op("IsInf", values), graph.constant(np.nan), values)
    return _prepared(graph, preparer, values, blocks)


def column_inputs(preparer: TablePreparer, table: Any) -> dict[str, npt.NDArray[Any]]:
    """Return the inputs of the graph for a table, by name."""
    frame = check_frame("onnx_inputs", preparer.read(table).frame)
    found: dict[str, npt.NDArray[Any]] = {}
    for name, kind in preparer.kinds_.items():
        if name not in frame.columns:
            raise DataError(
                f"onnx_inputs: the table has no column {name!r}; it must have all columns used in "
                "fit."
            )
        if kind == "categorical":
            missing = missing_label(preparer, name)
            labels = [missing if v is None else v for v in labels_of(frame[name])]
            found[name] = np.array(labels, dtype=object)[:, None]
        elif kind == "date":
            found[name] = dates_of(frame[name])[:, :1]
        else:
            found[name] = numbers_of(frame, [name])
    return found


def missing_label(preparer: TablePreparer, name: str) -> str:
    """Return the text for a missing category: the empty string, unless it is a level."""
    candidates = ("", "<missing>", "<missing value>")
    return next(candidate for candidate in candidates if candidate not in preparer.levels_[name])


def _columns_of_kind(preparer: TablePreparer, kind: str) -> list[str]:
    return [name for name, found in preparer.kinds_.items() if found == kind]


def _category(graph: Graph, preparer: TablePreparer, name: str, tensor_name: str) -> str:
    levels = preparer.levels_[name]
    n, missing_code = len(levels), len(levels) + 1  # codes of unseen and of missing categories
    code = graph.op(
        "LabelEncoder",
        tensor_name,
        domain="ai.onnx.ml",
        keys_strings=[*levels, missing_label(preparer, name)],
        values_int64s=[*range(n), missing_code],
        default_int64=n,
    )
    if preparer.categories == "one-hot":
        columns = [*range(n)]
        columns += [n] if name in preparer._others else []
        columns += [missing_code] if name in preparer._missing_levels else []
        if not columns:
            return graph.cast(
                graph.op("Gather", code, graph.constant([], np.int64), axis=1), "float64"
            )
        return graph.cast(graph.op("Equal", code, graph.constant(columns, np.int64)), "float64")
    missing = graph.op("Equal", code, graph.constant([missing_code], np.int64))
    replacement = graph.constant(n if preparer.missing == "impute" else np.nan)
    return graph.op("Where", missing, replacement, graph.cast(code, "float64"))


def _prepared(graph: Graph, preparer: TablePreparer, values: str, blocks: list[str]) -> str:
    """Impute and scale numeric columns, and add missing-value indicators."""
    is_missing = graph.op("IsNaN", values)
    if preparer.missing == "impute":
        values = graph.op("Where", is_missing, graph.constant(preparer.centers_), values)
    if preparer.scale:
        values = graph.op("Sub", values, graph.constant(preparer._means))
        values = graph.op("Div", values, graph.constant(preparer._deviations))
    blocks = [*blocks, values]
    indicator_columns = np.flatnonzero(preparer._were_missing)
    if preparer.missing == "impute" and len(indicator_columns):
        columns = graph.op(
            "Gather", is_missing, graph.constant(indicator_columns, np.int64), axis=1
        )
        blocks.append(graph.cast(columns, "float64"))
    return graph.concatenate(blocks)


def _date_parts(graph: Graph, days: str) -> str:
    """Compute days, month, weekday and hour as `dates_of` does.

    The month follows from the number of the day by counting years from March (Hinnant, "chrono-
    compatible low-level date algorithms"): all quotients are rounded down.
    """

    def number(value: float) -> str:
        return graph.constant([value])

    def quotient(tensor: str, by: float) -> str:
        return graph.op("Floor", graph.op("Div", tensor, number(by)))

    def remainder(tensor: str, factor: float, other: str) -> str:
        return graph.op("Sub", tensor, graph.op("Mul", number(factor), other))

    whole = graph.op("Floor", days)
    shifted = graph.op("Add", whole, number(719_468.0))
    of_era = remainder(shifted, 146_097.0, quotient(shifted, 146_097.0))
    leap = graph.op("Sub", of_era, quotient(of_era, 1460.0))
    leap = graph.op("Add", leap, quotient(of_era, 36_524.0))
    year = quotient(graph.op("Sub", leap, quotient(of_era, 146_096.0)), 365.0)
    of_year = remainder(of_era, 365.0, year)
    of_year = graph.op("Sub", of_year, quotient(year, 4.0))
    of_year = graph.op("Add", of_year, quotient(year, 100.0))
    march = graph.op("Add", graph.op("Mul", of_year, number(5.0)), number(2.0))
    march = quotient(march, 153.0)
    shift = graph.op("Where", graph.op("Less", march, number(10.0)), number(3.0), number(-9.0))
    month = graph.op("Add", march, shift)
    since_monday = graph.op("Add", whole, number(3.0))  # day 0 was a Thursday
    weekday = remainder(since_monday, 7.0, quotient(since_monday, 7.0))
    time = graph.op("Mul", graph.op("Sub", days, whole), number(_DAY))
    hour = graph.op("Div", graph.op("Round", time), number(_HOUR))
    return graph.concatenate([days, month, weekday, hour])
