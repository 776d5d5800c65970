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
