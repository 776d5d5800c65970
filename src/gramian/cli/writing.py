"""Tables written by the commands: CSV, TSV, Parquet or XLSX, by the suffix of the file."""

from pathlib import Path
from typing import Any

from gramian.base.errors import ParameterError, need

SUFFIXES = (".csv", ".tsv", ".parquet", ".xlsx")
_XLSX_ROWS = 1_048_575  # of a sheet, besides its header


def check_suffix(path: Path) -> None:
    """Raise where a table cannot be written under this name; before any work is done."""
    if path.suffix.lower() not in SUFFIXES:
        raise ParameterError(
            f"--out must end in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}; got {path.name!r}."
        )
    if path.suffix.lower() == ".xlsx":
        need("xlsxwriter", extra="app")


def with_numbers(frame: Any) -> Any:
    """Return a polars frame in which columns of plain numbers are numbers, all others as written.

    Codes with leading zeros, and numbers of more digits than a spreadsheet keeps, are left too.

    Examples
    --------
    >>> import polars as pl
    >>> written = pl.DataFrame({"n": ["1", "2"], "code": ["007", "123"], "price": ["$1", "$2"]})
    >>> with_numbers(written).row(0)
    (1, '007', '$1')
    """
    from gramian.data.columns import check_frame
    from gramian.data.formats.plain import cast_columns, matching_columns

    given = check_frame("predict", frame)
    coded = matching_columns(given, r"^\s*[+-]?0\d|\d{16,}", any_of=True)
    numbers = cast_columns(given, coded)
    return given.with_columns(*numbers.values()).to_native() if numbers else frame


def write_table(frame: Any, path: Path) -> None:
    """Write a polars frame; text is never taken for a formula."""
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        frame.write_parquet(path)
    elif suffix == ".xlsx":
        if frame.height > _XLSX_ROWS:
            raise ParameterError(
                f"--out must end in .csv or .parquet for {frame.height:,} rows; a sheet has "
                f"{_XLSX_ROWS:,}."
            )
        frame.write_excel(path, worksheet="predictions", autofit=frame.height <= 10_000)
    else:
        frame.write_csv(path, separator="\t" if suffix == ".tsv" else ",")
