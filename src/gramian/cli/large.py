"""``gramian fit`` of a table larger than memory: by chunks, or on a Dask cluster."""

import os
import resource
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

_FORMATS = (".parquet", ".pq", ".csv", ".tsv")
_EXPANDS = 4.0  # bytes of a table in memory, with the copies of a search, per byte of its file
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
    limits = [float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))]
    group = Path("/sys/fs/cgroup/memory.max")
    text = group.read_text().strip() if group.exists() else "max"
    if text != "max":
        limits.append(float(text))
    own = resource.getrlimit(resource.RLIMIT_AS)[0]
    if own != resource.RLIM_INFINITY:
        limits.append(float(own))
    return min(limits)


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
    data: str,
    target: str | None,
    *,
    folder: Path,
    task: str,
    models: tuple[str, ...] | None,
    drop: tuple[str, ...],
    weights: str | None,
    test: float,
    seed: int,
    dask: str | None,
    json: bool,
) -> None:
    """Compare the models that can be fitted by chunks, and write the best one."""
    import gramian
    from gramian.report import render_chunks
    from gramian.scale import ClusterError, chunks, fit_large
    from gramian.scale.sources import source_of
    from gramian.study.run_folder import remove_if_nothing_done, write_whole

    begin = perf_counter()
    if target is None or task not in ("auto", "classification", "regression"):
        remove_if_nothing_done(folder)
        raise ParameterError("--chunks needs --target, and --task classification or regression.")
    client = None
    try:
        client = connect(dask) if dask is not None else None
        columns = None
        if drop:
            names = source_of(data, None).names or []
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
            task=task,  # type: ignore[arg-type]
            models=models,
            test_size=test,
            seed=seed,
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
    write_whole(folder / "report.html", render_chunks({"run": run, "chunks": contents}))
    if json:
        emit_json(contents)
        return
    show(found)
    say(f"Model: {path}")
    emit(str(folder / "report.html"))


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
