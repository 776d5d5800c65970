"""``gramian fit`` of a table larger than memory: by chunks, or on a Dask cluster."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from gramian.base.errors import ParameterError, need
from gramian.cli.console import emit, emit_json, say, table_of

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
    return _EXPANDS * sum(file.stat().st_size for file in files) > _memory()


def _memory() -> float:
    """Return the bytes that this process may use: of the machine, or of its control group."""
    whole = float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    limit = Path("/sys/fs/cgroup/memory.max")
    text = limit.read_text().strip() if limit.exists() else "max"
    return whole if text == "max" else min(whole, float(text))


@contextmanager
def searching_on(dask: str | None) -> Iterator[None]:
    """Send the folds of a search to a cluster, by joblib; each needs the table on one worker."""
    if dask is None:
        yield
        return
    from joblib import parallel_config

    with need("distributed", extra="dask").Client(dask), parallel_config("dask", n_jobs=-1):
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
    from gramian.scale import chunks, fit_large
    from gramian.scale.sources import source_of
    from gramian.study.run_folder import write_whole

    begin = perf_counter()

    if target is None or task not in ("auto", "classification", "regression"):
        raise ParameterError("--chunks needs --target, and --task classification or regression.")
    client = need("distributed", extra="dask").Client(dask) if dask is not None else None
    try:
        columns = None
        if drop:
            left = (*drop, target, weights)
            columns = [name for name in source_of(data, None).names or [] if name not in left]
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
