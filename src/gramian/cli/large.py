"""``gramian fit`` of a table larger than memory: by chunks, or on a Dask cluster."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from typer import Exit

from gramian.base.errors import DataError, ParameterError, need
from gramian.cli.console import complain, emit, emit_json, say, table_of

if TYPE_CHECKING:
    from gramian.scale import LargeFit
    from gramian.study import Settings

_FORMATS = (".parquet", ".pq", ".csv", ".tsv")
_EXPANDS = 4.0  # bytes of a table in memory, with the copies of a search, per byte of its file
# Options of `gramian fit` that have an effect when it reads by chunks; all others are refused.
_HONOURED = frozenset(
    (
        "data", "target", "out", "task", "models", "seed", "test", "drop", "weights", "chunks",
        "dask", "threads", "open_report", "json",
    )
)  # fmt: skip
_METRIC = {"classification": "accuracy", "regression": "R2"}


def is_large(data: str | None, chunks: bool | None, dask: str | None) -> bool:
    """Tell whether a table is fitted by chunks: if asked for, or if it would not fit in memory."""
    path = None if data in (None, "-") else Path(str(data))
    able = path is not None and (path.is_dir() or path.suffix.lower() in _FORMATS)
    if chunks or (dask is not None and chunks is None):
        if not able:
            raise ParameterError(
                f"--chunks and --dask read a Parquet, CSV or TSV file; got {data!r}."
            )
        return True
    if chunks is False or not able or path is None or not path.exists():
        return False
    files = path.rglob("*.parquet") if path.is_dir() else [path]
    return _EXPANDS * sum(map(_size, files)) > _memory()


def _size(path: Path) -> float:
    """Return the bytes of a file, or of its numbers where these are stored in fewer."""
    size = float(path.stat().st_size)
    if path.suffix.lower() not in (".parquet", ".pq"):
        return size
    try:
        from pyarrow.parquet import read_metadata

        found = read_metadata(path)
    except (ImportError, OSError, ValueError):  # whoever reads it says what is wrong
        return size
    return max(size, float(8 * found.num_rows * found.num_columns))


def _memory() -> float:
    """Return the bytes that this process may use: the least of machine, group and own limit."""
    try:
        import resource
    except ImportError:  # Windows, where a table is large only if one says so
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


def check_options(given: dict[str, str], settings: "Settings", *, asked: bool) -> None:
    """Raise for options that have no effect on a table that is read by chunks.

    `given` has the flag of each option on the command line; `asked` tells whether chunks were asked
    for, not chosen by the size of the file.
    """
    refused = [flag for name, flag in given.items() if name not in _HONOURED]
    if refused:
        why = "" if asked else ", as here, because the file is too large for memory,"
        raise ParameterError(
            f"{', '.join(refused)} cannot be used where a table is read by chunks{why}: only sums "
            "over the rows are kept. Leave it out, or read the table at once with --no-chunks "
            "(and --memory 4GB for a sample of its rows)."
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
            "scheduler`, and give the address that it prints, such as tcp://host:8786."
        ) from None


@contextmanager
def searching_on(dask: str | None) -> Iterator[None]:
    """Send the folds of a search to a cluster, by joblib; each needs the table on one worker."""
    if dask is None:
        yield
        return
    from joblib import parallel_config

    with connect(dask), parallel_config("dask", n_jobs=-1):
        yield


def fit_by_chunks(
    data: str, settings: "Settings", *, folder: Path, dask: str | None, json: bool
) -> Path:
    """Compare the models that can be fitted by chunks, write the best one, return the report."""
    import gramian
    from gramian.report import render_chunks
    from gramian.scale import ClusterError, chunks, fit_large
    from gramian.scale.sources import source_of
    from gramian.study.run_folder import remove_if_nothing_done, write_whole

    begin = perf_counter()
    target, weights, drop = settings.target, settings.weights, settings.drop
    client = None
    try:
        client = connect(dask) if dask is not None else None
        columns = None
        names = source_of(data, None).names or []
        if "," in str(target) and target not in names:
            raise ParameterError(
                f"--chunks predicts one column, and --target names several, {target!r}; name one, "
                "or read the table at once with --no-chunks."
            )
        if drop:
            gone = [name for name in drop if name not in names]
            if gone:
                raise DataError(f"--drop: there is no column {gone[0]!r} in {Path(data).name}.")
            columns = [name for name in names if name not in (*drop, target, weights)]
        table = chunks(data, target, columns=columns, weight=weights, encode="dummy")
        where = f"on {dask}" if dask else "in this process"
        if not json:
            say(f"Reading {Path(data).name} in {table.n_parts} chunks, {where}.")
        found = fit_large(
            table,
            task=settings.task,  # type: ignore[arg-type]
            models=settings.models,
            test_size=settings.test_size,
            seed=settings.seed,
            client=client,
            tell=None if json else (lambda name: say(f"Fitting {name} ...")),
        )
    except BaseException as error:
        remove_if_nothing_done(folder)
        if not isinstance(error, ClusterError):
            raise
        complain(str(error))
        raise Exit(1) from None
    finally:
        if client is not None:
            client.close()
    path = folder / "model.gram"
    gramian.save(found.model, path)
    contents = _as_dict(found, table, where, str(path), perf_counter() - begin)
    run = {
        "name": Path(data).name,
        "target": target,
        "task": found.task,
        "versions": {"gramian": gramian.__version__},
    }
    page = folder / "report.html"
    write_whole(page, render_chunks({"run": run, "chunks": contents}))
    if json:
        emit_json(contents)
    else:
        show(found)
        say(f"Model: {path}")
        emit(str(page))
    return page


def show(found: "LargeFit") -> None:
    """Print the models, and why the others could not be fitted."""
    metric = _METRIC[found.task]
    say("")
    rows = [[name, f"{value:.4f}", f"{seconds:.1f}"] for name, value, seconds in found.rows]
    table_of(["model", metric, "fit (s)"], rows, {1, 2})
    say("")
    say(
        f"{found.rows[0][0]} is best on {found.n_test:,} held-out rows; without any column the "
        f"{metric} is {found.baseline:.4f}."
    )
    for name, why in found.failed.items():
        say(f"Not fitted: {name}. {why}")


def _as_dict(
    found: "LargeFit", table: Any, where: str, path: str, seconds: float
) -> dict[str, Any]:
    return {
        "task": found.task,
        "where": where,
        "n_parts": table.n_parts,
        "seconds": seconds,
        "metric": _METRIC[found.task],
        "baseline": found.baseline,
        "n_train": found.n_train,
        "n_test": found.n_test,
        "models": [{"model": n, "score": s, "seconds": t} for n, s, t in found.rows],
        "not_fitted": found.failed,
        "columns": table.feature_names,
        "categories": table.encoder.categories,
        "model_file": path,
    }
