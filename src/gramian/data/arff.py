"""ARFF, the attribute-relation file format of Weka and Mulan.

A header declares the columns, each numeric, nominal with its levels in order, string or date;
then come the rows, dense (``sunny, 85, ?``) or sparse (``{0 sunny, 3 1}``: omitted values are 0 or
the first level). ``?`` is a missing value, ``%`` begins a comment, names and values with spaces are
quoted. A weight may follow a row in braces. Witten, Frank, Hall and Pal 2017, section 2.4.
"""

import gzip
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import IO, Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, need
from gramian.data.mulan import match_labels, read_label_names

Column: TypeAlias = npt.NDArray[Any]
AttributeType: TypeAlias = Literal["numeric", "nominal", "string", "date"]

_KINDS: dict[str, AttributeType] = {
    "numeric": "numeric",
    "real": "numeric",
    "integer": "numeric",
    "string": "string",
    "date": "date",
}
_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_TOKEN = re.compile(rf"{_QUOTED}|[^\s,{{}}]+")
_NAMED = re.compile(rf"@\w+\s+({_QUOTED}|\S+)\s*(.*)")
_WEIGHT = re.compile(r"[,}]\s*\{\s*([-+.\deE]+)\s*\}$")
_LEAST_LIMIT = 2**30  # dense size in bytes that is always allowed
_LARGEST_GROWTH = 200  # beyond it, the maximum ratio of the dense size to the file size
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


@dataclass(frozen=True)
class Attribute:
    """One declared column: its name, its kind, and the levels of a nominal one in order."""

    name: str
    kind: AttributeType
    levels: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class ArffTable:
    """A table read from an ARFF file.

    Parameters
    ----------
    relation
        The name of the table.
    attributes
        The declaration of each column.
    columns
        One array per column: float64 with NaN for numeric columns, int32 codes of the levels with
        -1 for nominal ones, objects with None for strings and dates; NaN, -1 and None are missing.
    weights
        The weight of each row; 1 by default.
    label_names
        The columns that are labels, in the order of their XML file; empty without one.

    Examples
    --------
    >>> table = read_arff(["@relation t", "@attribute 'wind speed' numeric",
    ...                    "@attribute play {no,yes}", "@data", "5,yes", "?,no"])
    >>> table.names, table["play"], table["wind speed"]
    (['wind speed', 'play'], array([1, 0], dtype=int32), array([ 5., nan]))
    """

    relation: str
    attributes: tuple[Attribute, ...]
    columns: tuple[Column, ...]
    weights: npt.NDArray[np.float64]
    label_names: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [a.name for a in self.attributes]

    def __len__(self) -> int:
        return len(self.weights)

    def __getitem__(self, name: str) -> Column:
        return self.columns[self.names.index(name)]

    def labels(self, name: str) -> Column:
        """Return a nominal column as an array of its level names; None if the value is missing."""
        return self._labels(self.names.index(name))

    def matrix(self, names: Iterable[str] | None = None) -> npt.NDArray[np.float64]:
        """Return numeric columns and the codes of nominal ones as floats, NaN where missing."""
        chosen = self.names if names is None else list(names)
        return np.column_stack([self._numbers(name) for name in chosen])

    @property
    def feature_names(self) -> list[str]:
        """The names of the columns that are not labels."""
        labels = set(self.label_names)
        return [name for name in self.names if name not in labels]

    def label_matrix(self) -> npt.NDArray[np.int8]:
        """Return the label indicator matrix, shape (rows, labels)."""
        if not self.label_names:
            raise DataError(
                "label_matrix: the table has no labels; name them when reading it, for example "
                'read_arff("songs.arff", labels="songs.xml").'
            )
        columns = [_on_or_off(self, name) for name in self.label_names]
        return np.column_stack(columns).astype(np.int8)

    def to_pandas(self) -> Any:
        """Return a pandas frame; nominal columns are categorical, with all levels in order."""
        pd = need("pandas", extra="app")
        made = {
            a.name: pd.Categorical.from_codes(column, categories=list(a.levels))
            if a.kind == "nominal"
            else column
            for a, column in zip(self.attributes, self.columns, strict=True)
        }
        return pd.DataFrame(made)

    def to_polars(self) -> Any:
        """Return a polars frame; nominal columns become an Enum of all levels in order."""
        pl = need("polars", extra="app")
        return pl.DataFrame(
            [
                pl.Series(a.name, self._labels(place).tolist(), dtype=pl.Enum(list(a.levels)))
                if a.kind == "nominal"
                else pl.Series(a.name, column, dtype=pl.Float64, nan_to_null=True)
                if a.kind == "numeric"
                else pl.Series(a.name, column.tolist(), dtype=pl.String)
                for place, (a, column) in enumerate(zip(self.attributes, self.columns, strict=True))
            ]
        )

    def _labels(self, place: int) -> Column:
        levels = np.array([*self.attributes[place].levels, None], dtype=object)
        return levels[self.columns[place]]

    def _numbers(self, name: str) -> npt.NDArray[np.float64]:
        place = self.names.index(name)
        kind, column = self.attributes[place].kind, self.columns[place]
        if kind == "numeric":
            return column
        if kind == "nominal":
            return np.where(column < 0, np.nan, column)
        raise DataError(f"ArffTable.matrix: column {name!r} is of type {kind}; leave it out.")


def read_arff(
    source: str | os.PathLike[str] | Iterable[str],
    *,
    labels: str | os.PathLike[str] | Iterable[str] | None = None,
    encoding: str = "utf-8",
) -> ArffTable:
    """Read an ARFF file, dense or sparse.

    Parameters
    ----------
    source
        A path, plain or gzipped (``.gz``), or the lines themselves.
    labels
        Path of an XML file in Mulan's format with the names of the label columns of a multi-label
        table; or the names themselves.
    encoding
        Encoding of the file.

    Returns
    -------
    table : ArffTable
        The table; ``to_pandas`` and ``to_polars`` convert it to frames.

    Examples
    --------
    >>> lines = ["@relation r", "@attribute a {x,y}", "@attribute b real", "@data", "{1 2.5}", "{}"]
    >>> read_arff(lines).matrix()
    array([[0. , 2.5],
           [0. , 0. ]])
    """
    if isinstance(source, str | os.PathLike):
        with _opened(source, encoding) as file:
            table = _read(file)
    else:
        table = _read(source)
    if labels is None:
        return table
    from_file = isinstance(labels, str | os.PathLike)
    named = read_label_names(labels) if from_file else list(labels)  # type: ignore[arg-type]
    found = match_labels("read_arff", named, table.names)
    for name in found:
        wrong = np.flatnonzero(~np.isin(_on_or_off(table, name), (0, 1)))
        if len(wrong):
            row = int(wrong[0])
            raise DataError(
                f"read_arff: the label {name!r} must be 0 or 1 in every row; got "
                f"{_shown(table, name, row)} in row {row}. Correct the table, or the file that "
                "lists it as a label."
            )
    return replace(table, label_names=found)


def _on_or_off(table: ArffTable, name: str) -> npt.NDArray[np.float64]:
    """Return the values of a label column as floats; invalid ones are NaN or other numbers."""
    place = table.names.index(name)
    attribute, column = table.attributes[place], table.columns[place]
    if attribute.kind == "numeric":
        return column
    if attribute.kind != "nominal":
        return np.full(len(column), np.nan)
    values = np.array([{"0": 0.0, "1": 1.0}.get(level, np.nan) for level in attribute.levels])
    return np.append(values, np.nan)[column]


def _shown(table: ArffTable, name: str, row: int) -> str:
    """Return a value of a column as in the file, for messages."""
    place = table.names.index(name)
    attribute, value = table.attributes[place], table.columns[place][row]
    if attribute.kind == "nominal":
        return repr(attribute.levels[int(value)]) if value >= 0 else "a missing value"
    if attribute.kind == "numeric":
        return "a missing value" if np.isnan(value) else f"{float(value):g}"
    return repr(value)


def _opened(path: str | os.PathLike[str], encoding: str) -> IO[str]:
    if os.fspath(path).endswith(".gz"):
        return gzip.open(path, "rt", encoding=encoding)
    return open(path, encoding=encoding)


class _Line(NamedTuple):
    number: int
    text: str


def _read(source: Iterable[str]) -> ArffTable:
    stripped = (_Line(i, text.strip()) for i, text in enumerate(source, 1))
    lines = (line for line in stripped if line.text and not line.text.startswith("%"))
    relation, attributes = _header(lines)
    rows = [_Row(line.number, *_split_weight(line.text)) for line in lines]
    sparse = bool(rows) and rows[0].text.startswith("{")
    if sparse:
        _check_size(attributes, rows)
    columns = (_sparse_columns if sparse else _dense_columns)(attributes, rows)
    return ArffTable(relation, attributes, tuple(columns), np.array([r.weight for r in rows]))


# --- the header -------------------------------------------------------------------------------


def _header(lines: Iterator[_Line]) -> tuple[str, tuple[Attribute, ...]]:
    """Read the header, including ``@data``."""
    relation = ""
    attributes: list[Attribute] = []
    for line in lines:
        keyword = line.text.split(None, 1)[0].lower()
        if keyword == "@data":
            if not attributes:
                raise _wrong(line.number, "there is no @attribute before @data")
            return relation, tuple(attributes)
        found = _NAMED.fullmatch(line.text)
        if keyword == "@relation" and found:
            relation = _unquoted(found[1])
        elif keyword == "@attribute" and found and found[2]:
            attributes.append(_attribute(line, _unquoted(found[1]), found[2]))
        else:
            raise _wrong(
                line.number, f"expected @relation, @attribute or @data; got {line.text[:60]!r}"
            )
    raise DataError("read_arff: the file has no @data line; is it an ARFF file?")


def _attribute(line: _Line, name: str, kind: str) -> Attribute:
    if kind.startswith("{"):
        levels = tuple(_unquoted(t) for t in _TOKEN.findall(kind.partition("%")[0]))
        if not levels or len(set(levels)) < len(levels):
            raise _wrong(line.number, f"the levels of {name!r} must be distinct, at least one")
        return Attribute(name, "nominal", levels)
    word = kind.split()[0].lower()
    if word not in _KINDS:
        raise _wrong(
            line.number, f"the type {word!r} of {name!r} is unknown; use numeric, string or date"
        )
    return Attribute(name, _KINDS[word])


# --- the rows ---------------------------------------------------------------------------------


class _Row(NamedTuple):
    number: int
    text: str
    weight: float


def _split_weight(text: str) -> tuple[str, float]:
    """Split the weight in braces off a row."""
    found = _WEIGHT.search(text) if text.endswith("}") else None
    if found is None:
        return text, 1.0
    return text[: found.start() + (text[found.start()] == "}")], float(found[1])


def _tokens(text: str) -> list[str]:
    if "'" in text or '"' in text:
        return _TOKEN.findall(text)
    return text.replace(",", " ").split()


def _dense_columns(attributes: tuple[Attribute, ...], rows: list[_Row]) -> Iterator[Column]:
    table = [_tokens(row.text) for row in rows]
    for row, tokens in zip(rows, table, strict=True):
        if len(tokens) != len(attributes):
            what = f"{len(attributes)} values are declared; the row has {len(tokens)}"
            raise _wrong(row.number, what)
    for j, attribute in enumerate(attributes):
        cells = _cells(attribute, rows, [tokens[j] for tokens in table])
        yield np.array(cells, dtype=_DTYPES[attribute.kind])


def _check_size(attributes: tuple[Attribute, ...], rows: list[_Row]) -> None:
    """Raise if sparse rows would become a table far larger than the file."""
    size = 8 * len(attributes) * len(rows)
    written = sum(len(row.text) for row in rows) + sum(len(a.name) for a in attributes)
    most = max(_LEAST_LIMIT, _LARGEST_GROWTH * written)
    if size > most:
        raise DataError(
            f"read_arff: the sparse rows become a table of {len(rows):,} rows and "
            f"{len(attributes):,} columns, {size:,} bytes, more than {most:,}; remove columns "
            "without values, or split the file."
        )


def _sparse_columns(attributes: tuple[Attribute, ...], rows: list[_Row]) -> Iterator[Column]:
    """Fill in omitted values: zero, the first level, or empty text."""
    entries: list[tuple[list[int], list[str]]] = [([], []) for _ in attributes]
    for i, row in enumerate(rows):
        tokens = _tokens(row.text.strip("{} \t"))
        if len(tokens) % 2 or not row.text.startswith("{"):
            raise _wrong(row.number, "a sparse row must be pairs of column and value in braces")
        for place, token in zip(tokens[::2], tokens[1::2], strict=True):
            if not place.isdigit() or int(place) >= len(attributes):
                what = f"a column must be a number below {len(attributes)}; got {place!r}"
                raise _wrong(row.number, what)
            at, values = entries[int(place)]
            at.append(i)
            values.append(token)
    for attribute, (at, values) in zip(attributes, entries, strict=True):
        left_out = 0 if attribute.kind in ("numeric", "nominal") else ""
        column = np.full(len(rows), left_out, dtype=_DTYPES[attribute.kind])
        column[at] = _cells(attribute, [rows[i] for i in at], values)
        yield column


def _cells(attribute: Attribute, rows: list[_Row], tokens: list[str]) -> list[Any]:
    """Read the tokens of one column; equal texts and levels are read once."""
    missing, codes = _MISSING[attribute.kind], {t: i for i, t in enumerate(attribute.levels)}
    known: dict[str, Any] = {"?": missing}
    for row, token in zip(rows, tokens, strict=True):
        if token in known:
            continue
        text = _unquoted(token)
        try:
            value = float(text) if attribute.kind == "numeric" else codes.get(text, text)
        except ValueError:
            value = None
        if value is None or (attribute.kind == "nominal" and text not in codes):
            what = f"{text!r} is not a value of the attribute {attribute.name!r}"
            raise _wrong(row.number, what)
        known[token] = value
    return [known[token] for token in tokens]


_DTYPES: dict[str, Any] = {
    "numeric": np.float64, "nominal": np.int32, "string": object, "date": object,
}  # fmt: skip
_MISSING: dict[str, Any] = {"numeric": np.nan, "nominal": -1, "string": None, "date": None}


def _unquoted(token: str) -> str:
    if token[:1] in "'\"" and token[-1:] == token[:1] and len(token) > 1:
        token = token[1:-1]
    if "\\" not in token:
        return token
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), token, flags=re.DOTALL)


def _wrong(number: int, what: str) -> DataError:
    return DataError(f"read_arff: line {number}: {what}; correct the file.")
