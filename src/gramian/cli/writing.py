"""Tables written by the commands: CSV, TSV, Parquet or XLSX, by the suffix of the file."""

import re
from io import BytesIO
from pathlib import Path
from typing import Any

from gramian.base.errors import DataError, ParameterError, need
from gramian.base.files.writing import written_whole

SUFFIXES = (".csv", ".tsv", ".parquet", ".xlsx")
# Text that spreadsheets may run as a formula (also with full-width signs), and exceptions: signed
# numbers, and a single sign.
_FORMULA = r"^[=+\-@\t\r\n＝＋－＠]"
_NUMBER = r"^[+-]?(\d+([.,]\d+)*|[.,]\d+)?([eE][+-]?\d+)?\s?%?$"
_XLSX_ROWS = 1_048_575  # maximum number of rows of a sheet, without the header


def check_suffix(path: Path) -> None:
    """Raise if a table cannot be written under this name; called before any work is done."""
    if path.suffix.lower() not in SUFFIXES:
        raise ParameterError(
            f"--out must end in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}; got {path.name!r}."
        )
    if path.suffix.lower() == ".xlsx":
        need("xlsxwriter", extra="app")


def check_columns(frame: Any, path: Path | None, option: str) -> None:
    """Raise if the file, or CSV where there is none, cannot hold the type of a column.

    Lists and structs become text in a workbook. ``option`` is the flag that kept the columns.
    """
    suffix = ".csv" if path is None else path.suffix.lower()
    pl = need("polars", extra="app")
    book, parquet = suffix == ".xlsx", suffix == ".parquet"
    what = "a workbook" if book else "Parquet" if parquet else "CSV"
    for name, kind in frame.schema.items():
        refused = kind == pl.Object
        if book:
            refused |= kind == pl.Binary or getattr(kind, "time_zone", None) is not None
        elif not parquet:
            refused |= kind in (pl.Binary, pl.Duration) or kind.is_nested()
        if refused:
            other = "" if parquet else ", or write a .parquet file"
            raise DataError(
                f"{option}: column {name!r} has the type {kind}, which {what} cannot hold. "
                f"Keep other columns{other}."
            )


def with_numbers(frame: Any) -> Any:
    """Return a polars frame with columns of plain numbers cast; others are unchanged.

    Codes with leading zeros, and numbers with more digits than a spreadsheet keeps, stay text.

    Examples
    --------
    >>> import polars as pl
    >>> written = pl.DataFrame({"n": ["1", "2"], "code": ["007", "123"], "price": ["$1", "$2"]})
    >>> with_numbers(written).row(0)
    (1, '007', '$1')
    """
    from gramian.data.columns import check_frame
    from gramian.data.formats.plain import cast_columns, matching_columns

    table = check_frame("predict", frame)
    coded = matching_columns(table, r"^\s*[+-]?0\d|\d{16,}", any_of=True)
    numbers = cast_columns(table, coded)
    return table.with_columns(*numbers.values()).to_native() if numbers else frame


def safe_cells(frame: Any) -> Any:
    """Return a polars frame whose text no spreadsheet runs as a formula.

    A text cell or column name that begins with = + - @, a tab or a line break gets a leading single
    quote, so that spreadsheets show the rest as text. Numbers are unchanged.

    Examples
    --------
    >>> import polars as pl
    >>> safe_cells(pl.DataFrame({"note": ["=1+1", "-3.5", "a-b"]}))["note"].to_list()
    ["'=1+1", '-3.5', 'a-b']
    """
    pl = need("polars", extra="app")
    kinds = (pl.String, pl.Categorical, pl.Enum)
    texts = [name for name, kind in frame.schema.items() if kind in kinds]
    cells = [pl.col(name).cast(pl.String) for name in texts]
    safe = frame.with_columns(
        pl.when(cell.str.contains(_FORMULA) & ~cell.str.contains(_NUMBER))
        .then("'" + cell)
        .otherwise(cell)
        .alias(name)
        for name, cell in zip(texts, cells, strict=True)
    )
    return safe.rename({name: _safe_name(name, frame.columns) for name in frame.columns})


def _safe_name(name: str, others: list[str]) -> str:
    """Return a column name that is neither a formula nor the name of another column."""
    if not re.match(_FORMULA, name) or re.match(_NUMBER, name):
        return name
    safe = f"'{name}"
    while safe in others:
        safe = f"'{safe}"
    return safe


def write_table(frame: Any, path: Path, *, safe: bool = True) -> None:
    """Write a polars frame; a link under the name is replaced.

    Text never becomes a formula: in a workbook it has the type text, in CSV and TSV `safe_cells`
    marks it, unless `safe` is False.
    """
    suffix = path.suffix.lower()
    if suffix == ".xlsx" and frame.height > _XLSX_ROWS:
        raise ParameterError(
            f"--out must end in .csv or .parquet for {frame.height:,} rows; a sheet has at most "
            f"{_XLSX_ROWS:,}."
        )
    made = BytesIO()  # so that disk errors come from the write below
    if suffix == ".parquet":
        frame.write_parquet(made)
    elif suffix == ".xlsx":
        _write_workbook(frame, made)
    else:
        table = safe_cells(frame) if safe else frame
        table.write_csv(made, separator="\t" if suffix == ".tsv" else ",")
    with written_whole(path) as file:
        file.write(made.getbuffer())


def _write_workbook(frame: Any, file: BytesIO) -> None:
    """Write a sheet without formulas or links."""
    options = {
        "nan_inf_to_errors": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "in_memory": True,
    }
    with need("xlsxwriter", extra="app").Workbook(file, options) as book:
        frame.write_excel(book, worksheet="predictions", autofit=frame.height <= 10_000)
