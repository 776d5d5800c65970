"""``gramian fit`` for a table larger than memory: in chunks, or on a Dask cluster."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer import Exit

from gramian.base.errors import DataError, ParameterError, need
from gramian.cli.console import complain

if TYPE_CHECKING:
    from gramian.scale import LargeTable
    from gramian.study import Settings

_FORMATS = (".parquet", ".pq", ".csv", ".tsv")
_EXPANDS = 4.0  # bytes of a table in memory, with the copies of a search, per byte of its file
_REFUSED = ("labels", "sheet", "example")  # options that do not apply to a table read in chunks


def is_large(data: str | None, chunks: bool | None, dask: str | None) -> bool:
    """Whether a table is read in chunks: with --chunks, or if it would not fit in memory."""
    path = None if data in (None, "-") else Path(str(data))
    able = path is not None and (path.is_dir() or path.suffix.lower() in _FORMATS)
    if chunks or (dask is not None and chunks is None):
        if not able:
            raise ParameterError(
                f"--chunks and --dask need a Parquet, CSV or TSV file; got {data!r}."
            )
        return True
    if chunks is False or not able or path is None or not path.exists():
        return False
    files = path.rglob("*.parquet") if path.is_dir() else [path]
    return _EXPANDS * sum(map(_size, files)) > _memory()


def _size(path: Path) -> float:
    """Return the size of a file in bytes, or that of its numbers in memory if larger."""
    size = float(path.stat().st_size)
    if path.suffix.lower() not in (".parquet", ".pq"):
        return size
    try:
        from pyarrow.parquet import read_metadata

        found = read_metadata(path)
    except (ImportError, OSError, ValueError):  # the reader reports what is wrong
        return size
    return max(size, float(8 * found.num_rows * found.num_columns))


def _memory() -> float:
    """Return the memory available: the smallest limit of machine, cgroup and process, in bytes."""
    try:
        import resource
    except ImportError:  # Windows, where only --chunks makes a table large
        return float("inf")
    limits = [float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))]
    group = Path("/sys/fs/cgroup/memory.max")
    text = group.read_text().strip() if group.exists() else "max"
    if text != "max":
        limits.append(float(text))
    own = resource.getrlimit(resource.RLIMIT_AS)[0]
    if own != resource.RLIM_INFINITY:
        limits.append(float(own))
    return min(limits)


def check_options(flags: dict[str, str], settings: "Settings") -> None:
    """Raise for options of `gramian fit` that do not apply to a table read in chunks.

    `flags` has the flag of each option on the command line, by name.
    """
    refused = [flags[name] for name in _REFUSED if name in flags]
    if refused:
        raise ParameterError(
            f"{', '.join(refused)} cannot be used if the table is read in chunks (with --chunks, "
            "or because the file is too large for memory); leave it out, or read the whole table "
            "with --no-chunks."
        )
    if settings.target is None or settings.task == "clustering":
        raise ParameterError("--chunks needs --target, and --task classification or regression.")


def connect(address: str) -> Any:
    """Return a client of a Dask cluster."""
    try:
        return need("distributed", extra="dask").Client(address)
    except (OSError, ValueError) as error:
        raise DataError(
            f"--dask: no scheduler answers at {address} ({error}); start one with `dask "
            "scheduler` and use the address it prints, such as tcp://host:8786."
        ) from None


def open_large(data: str, settings: "Settings", client: Any) -> "LargeTable":
    """Return a table read in chunks; an error of the cluster ends the command."""
    from gramian.scale import ClusterError, LargeTable

    try:
        return LargeTable(data, settings, client)
    except ClusterError as error:
        complain(str(error))
        raise Exit(1) from None


@contextmanager
def searching_on(dask: str | None) -> Iterator[None]:
    """Fit the folds of the search on a cluster, through joblib; each worker gets the table."""
    if dask is None:
        yield
        return
    from joblib import parallel_config

    with connect(dask), parallel_config("dask", n_jobs=-1):
        yield
