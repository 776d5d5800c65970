"""The rows of a study: in memory, in a file read in chunks, or on a cluster.

A study searches and compares on rows in memory: the whole table, or a sample of it. The chosen
model is then fitted to all rows that are not held out, wherever they are.
"""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

from gramian.base.types import RowNumbers
from gramian.data.columns import check_frame
from gramian.data.reading import LoadedTable, loaded_table
from gramian.study.search.trial import Candidate, Workbench


class Rows(Protocol):
    """The rows of a table."""

    @property
    def table(self) -> LoadedTable:
        """The rows in memory: all, or a sample."""
        ...

    @property
    def held_out(self) -> NDArray[np.bool_] | None:
        """Mask of the rows of `table` held out for the test; None lets the study choose them."""
        ...

    def why_not(self, name: str) -> str | None:
        """Return the reason why a model cannot be fitted to these rows; None if it can."""
        ...

    def fitted(self, bench: Workbench, candidate: Candidate, rows: RowNumbers) -> Pipeline:
        """Return preparer and model, fitted to all rows that are not held out.

        `rows` are those of the problem that are in memory and not held out.
        """
        ...

    def counts(self) -> dict[str, int]:
        """Return the rows of the whole table, fitted and held out; empty if all are in memory."""
        ...


@dataclass(frozen=True, eq=False)
class FrameRows:
    """A table in memory."""

    table: LoadedTable
    held_out: NDArray[np.bool_] | None = None

    def why_not(self, name: str) -> str | None:
        """Return None: every model can be fitted to rows in memory."""
        return None

    def fitted(self, bench: Workbench, candidate: Candidate, rows: RowNumbers) -> Pipeline:
        """Return preparer and model, fitted to these rows."""
        return bench.fitted_pipeline(candidate, rows)

    def counts(self) -> dict[str, int]:
        """Return an empty dict: the table has all rows."""
        return {}


def rows_of(table: Any, owner: str = "study.run") -> Rows:
    """Return a frame, or a table that was read, as rows; rows are returned unchanged.

    `owner` is the function that errors name.
    """
    if hasattr(table, "fitted"):
        return table  # type: ignore[no-any-return]
    if not isinstance(table, LoadedTable):
        check_frame(owner, table)
    return FrameRows(loaded_table(table))
