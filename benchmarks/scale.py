"""Tables larger than memory, and two processes against one: a program of its own.

    python -m benchmarks.scale [--rows 20000000] [--runs ...] [--folder DIR] [--json FILE]

Every run is a process of its own, whose memory is limited by RLIMIT_AS (address space, beside what
the imports take) where a limit is stated; time and peak memory are its own. The table is drawn and
written row group by row group: 20 columns of float32, two classes and a number from a linear rule
with noise; a second table of another seed is what models are judged on. The runs:

- gramian, sklearn: `fit_chunks` and `partial_fit` over the same chunks, limited memory;
- one, dask1, dask2: one process, clusters of one and of two processes, one thread each; after them
  the parallel efficiency of two, by the clock (the median of three fits each), by the processor
  time of the busier worker and by that of both;
- two: the run of one process twice at once, which know nothing of each other: what the machine's
  memory and disk leave of twice the speed, the most that any cluster could reach;
- overhead: `fit_chunks` of slices in memory against `fit`, processor time, the best of some rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

COLUMNS, GROUP = 20, 500_000
RUNS = ["gramian", "sklearn", "one", "two", "dask1", "dask2", "overhead"]
ROUNDS = 3
METHODS = ("least squares", "logistic", "k-means", "mini-batch k-means", "PCA")


def write(path: Path, rows: int, seed: int) -> None:
    """Write a table row group by row group."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(seed)
    w = np.linspace(-1, 1, COLUMNS).astype(np.float32)
    names = [f"x{j}" for j in range(COLUMNS)]
    schema = pa.schema([(n, pa.float32()) for n in [*names, "number"]] + [("class", pa.int8())])
    with pq.ParquetWriter(path, schema, compression="none", use_dictionary=False) as writer:
        for start in range(0, rows, GROUP):
            n = min(GROUP, rows - start)
            X = rng.standard_normal((n, COLUMNS), dtype=np.float32)
            X += 2 * rng.integers(0, 5, size=(n, 1)).astype(np.float32)
            z = X @ w + 2 * rng.standard_normal(n, dtype=np.float32)
            columns = [*X.T, z, (z > 0).astype(np.int8)]
            writer.write_table(pa.table(dict(zip(schema.names, columns, strict=True)), schema))


def pieces(path: str, method: str):
    from gramian.scale import chunks

    names = [f"x{j}" for j in range(COLUMNS)]
    target = {"least squares": "number", "logistic": "class"}.get(method)
    return chunks(path, target, columns=names)


def gramian_model(method: str):
    from gramian import PCA, KMeans, LinearRegression, LogisticRegression, MiniBatchKMeans

    return {
        "least squares": LinearRegression(),
        "logistic": LogisticRegression(C=1.0),
        "k-means": KMeans(5, random_state=0, max_iter=20),
        "mini-batch k-means": MiniBatchKMeans(5, random_state=0, max_iter=1),
        "PCA": PCA(5),
    }[method]


def run_gramian(path: str, method: str):
    return gramian_model(method).fit_chunks(pieces(path, method))


def run_dask(path: str, judge: str, method: str, workers: int):
    """Fit on a cluster of so many processes with one thread each; only the fit is timed.

    A fit of the same method to the small table goes before it, for imports, as in one process.

    The workers have the C library's own settings of memory, as the run of one process has: with
    Dask's, every array of more than 128 kB is given back to the system as soon as it is freed. They
    do not look at their own stacks a hundred times a second, for the profile of the dashboard. On a
    machine that has other work too, the processor time of the busiest worker and of this process
    (with the scheduler) tells more than the clock.
    """
    import dask
    from distributed import Client, LocalCluster

    from gramian.scale import fit

    with (
        dask.config.set(
            {
                "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": None,
                "distributed.worker.profile.enabled": False,
            }
        ),
        LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=":0", memory_limit=None
        ) as cluster,
        Client(cluster) as client,
    ):
        for _ in range(2):  # so that both workers have had parts
            fit(gramian_model(method), pieces(judge, method), client=client)
        before, here = client.run(time.process_time), time.process_time()
        model, seconds = median_of_rounds(
            lambda: fit(gramian_model(method), pieces(path, method), client=client)
        )
        after = client.run(time.process_time)
        used = [(after[worker] - before[worker]) / ROUNDS for worker in before]
        cpu = (time.process_time() - here) / ROUNDS
        return model, seconds, {"worker_cpu": used, "driver_cpu": cpu}


def median_of_rounds(run: Callable[[], Any]) -> tuple[Any, float]:
    """Run some times; return the last result and the median of the seconds."""
    seconds = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        found = run()
        seconds.append(time.perf_counter() - begin)
    return found, float(np.median(seconds))


def run_sklearn(path: str, method: str):
    """partial_fit of scikit-learn over the same chunks; columns scaled first, as its guide says."""
    from sklearn.cluster import MiniBatchKMeans
    from sklearn.decomposition import IncrementalPCA
    from sklearn.linear_model import SGDClassifier, SGDRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    epochs = {"least squares": 3, "logistic": 3}.get(method, 1)
    model = {
        "least squares": SGDRegressor(alpha=0, average=True, random_state=0),
        "logistic": SGDClassifier("log_loss", average=True, random_state=0),
        "k-means": MiniBatchKMeans(5, random_state=0, batch_size=GROUP, n_init=3),
        "mini-batch k-means": MiniBatchKMeans(5, random_state=0, batch_size=GROUP, n_init=3),
        "PCA": IncrementalPCA(5, batch_size=GROUP),
    }[method]
    more = {"classes": np.array([0, 1])} if method == "logistic" else {}
    scaler = StandardScaler() if method in ("least squares", "logistic") else None
    if scaler is not None:
        for X, _, _ in pieces(path, method):
            scaler.partial_fit(X)
    for _ in range(epochs):
        for X, y, _ in pieces(path, method):
            if scaler is None:
                model.partial_fit(X)
            else:
                model.partial_fit(scaler.transform(X), y, **more)
    return model if scaler is None else make_pipeline(scaler, model)


def run_in_memory(path: str, method: str):
    """The overhead: slices of the table in memory, and the table as a whole, in turn."""
    parts = list(pieces(path, method))
    X = np.concatenate([p[0] for p in parts])
    y = None if parts[0][1] is None else np.concatenate([p[1] for p in parts])
    del parts
    cuts = [slice(a, a + GROUP) for a in range(0, len(X), GROUP)]
    rows = [(X[cut], None if y is None else y[cut]) for cut in cuts]
    seconds = {"whole": [], "chunks": []}
    for _ in range(ROUNDS):
        for kind, found in seconds.items():
            model = gramian_model(method)
            begin = time.process_time()
            model = model.fit(X, y) if kind == "whole" else model.fit_chunks(rows)
            found.append(time.process_time() - begin)
    return model, min(seconds["whole"]), min(seconds["chunks"])


def quality(model, path: str, method: str) -> float:
    """Loss on the first two chunks of the second table."""
    total = weight = 0.0
    source = pieces(path, method)
    for part in range(min(2, len(source))):
        X, y, _ = source.read(part)
        if method == "least squares":
            losses = (np.asarray(model.predict(X), float) - y) ** 2
        elif method == "logistic":
            p = np.clip(np.asarray(model.predict_proba(X)[:, 1], float), 1e-9, 1 - 1e-9)
            losses = -np.where(y == 1, np.log(p), np.log1p(-p))
        elif "k-means" in method:
            losses = np.min(model.transform(X), axis=1) ** 2
        else:
            Z = model.inverse_transform(model.transform(X))
            losses = ((X - Z) ** 2).sum(axis=1)
        total, weight = total + float(np.sum(losses)), weight + len(X)
    return total / weight


def constants(path: str) -> dict:
    """Seconds of a thread per row, and of the scheduler's processor per task, for the guide."""
    from distributed import Client
    from distributed.deploy.subprocess import SubprocessCluster

    from gramian import LinearRegression
    from gramian.base.rows.chunks import Chunks
    from gramian.base.rows.moments import Rows

    source = pieces(path, "least squares")
    X, y, _ = source.read(0)
    rows = Rows.in_chunks(Chunks.of(LinearRegression(), [(X, y)]), 1)
    found = {
        "read_row": best(lambda: source.read(0)) / len(X),
        "gram_row": best(lambda: rows.summarise(double=False)) / len(X),
    }
    with SubprocessCluster(n_workers=2, threads_per_worker=1) as cluster, Client(cluster) as client:
        client.wait_for_workers(2)
        tasks, seconds = 2000, []
        for _ in range(3):
            begin = client.run_on_scheduler(time.process_time)
            client.gather(client.map(abs, range(tasks), pure=False))
            seconds.append(client.run_on_scheduler(time.process_time) - begin)
        found["task"] = min(seconds) / tasks
    return found


def best(work, rounds: int = 5) -> float:
    seconds = []
    for _ in range(rounds):
        begin = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def child(options: argparse.Namespace) -> None:
    """One run, with its memory limited."""
    import pyarrow.dataset
    import sklearn.cluster
    import sklearn.decomposition
    import sklearn.linear_model

    import gramian.scale

    del gramian, pyarrow, sklearn
    level = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if options.run == "constants":
        print(json.dumps(constants(options.table)))
        return
    if options.limit:
        address = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (address + options.limit, resource.RLIM_INFINITY))
    begin, cpu, rounds = time.perf_counter(), time.process_time(), 1
    more = {}
    if options.run.startswith("dask"):
        workers = int(options.run[4:])
        model, seconds, more = run_dask(options.table, options.judge, options.method, workers)
    elif options.run == "overhead":
        model, seconds, more["chunks"] = run_in_memory(options.table, options.method)
    else:
        run = run_sklearn if options.run == "sklearn" else run_gramian
        if options.run == "one":
            run(options.judge, options.method)
            cpu, rounds = time.process_time(), ROUNDS
            model, seconds = median_of_rounds(lambda: run(options.table, options.method))
        else:
            model = run(options.table, options.method)
            seconds = time.perf_counter() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = {
        "seconds": seconds,
        "cpu_seconds": (time.process_time() - cpu) / rounds,
        "peak_mb": peak / 1024,
        "peak_above_imports_mb": (peak - level) / 1024,
        "loss": quality(model, options.judge, options.method),
        **more,
    }
    print(json.dumps(found))


def measure(run: str, method: str, tables: tuple[Path, Path], limit: int) -> dict:
    work = "one" if run == "two" else run
    command = [sys.executable, "-m", "benchmarks.scale", "--run", work, "--method", method]
    command += ["--table", str(tables[0]), "--judge", str(tables[1]), "--limit", str(limit)]
    one = "dask" in work or work in ("one", "constants")
    threads = {"GRAMIAN_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"} if one else {}
    begun = [
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **threads},
        )
        for _ in range(2 if run == "two" else 1)
    ]
    found = []
    for process in begun:
        out, errors = process.communicate()
        if process.returncode:
            return {"error": errors.strip().splitlines()[-1] if errors else "killed"}
        found.append(json.loads(out.strip().splitlines()[-1]))
    return max(found, key=lambda one: one.get("seconds", 0))


def efficiency(runs: list[dict]) -> list[dict]:
    """Twice the workers, half the time: how much of that holds, against one process and one worker.

    By processor time a worker that waits for the scheduler counts as idle, not as slow.
    """
    found = {run["run"]: run for run in runs if "error" not in run}
    two, rows = found.get("dask2"), []
    for name in ("one", "dask1"):
        if two is None or name not in found:
            continue
        alone = found[name]
        cpu = max(alone["worker_cpu"]) if "worker_cpu" in alone else alone["cpu_seconds"]
        row = {
            "method": two["method"],
            "run": f"efficiency of dask2 against {name}",
            "clock": alone["seconds"] / (2 * two["seconds"]),
            "busier_cpu": cpu / (2 * max(two["worker_cpu"])),
            "cpu": cpu / sum(two["worker_cpu"]),
        }
        if name == "one" and "two" in found:
            row["ceiling"] = alone["seconds"] / found["two"]["seconds"]
            row["ceiling_cpu"] = alone["cpu_seconds"] / found["two"]["cpu_seconds"]
        print(json.dumps(row), flush=True)
        rows.append(row)
    return rows


def main() -> int:
    """Draw the tables, run everything, print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--memory", type=int, default=10**9, help="bytes allowed")
    parser.add_argument("--runs", nargs="*", default=RUNS)
    parser.add_argument("--methods", nargs="*", default=list(METHODS))
    parser.add_argument("--json", type=Path)
    for name in ("run", "method", "table", "judge"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--limit", type=int, default=0)
    options = parser.parse_args()
    if options.run:
        child(options)
        return 0
    folder = options.folder or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    tables = (folder / f"{options.rows}-0.parquet", folder / "judge-1.parquet")
    if not tables[0].exists():
        write(tables[0], options.rows, 0)
    if not tables[1].exists():
        write(tables[1], 1_000_000, 1)
    size = tables[0].stat().st_size / 1e9
    print(f"{options.rows:,} rows of {COLUMNS} float32, {size:.2f} GB Parquet")
    results = []
    for method in options.methods:
        for run in options.runs:
            if run == "constants" and method != options.methods[0]:
                continue
            limit = options.memory if run in ("gramian", "sklearn") else 0
            found = measure(run, method, tables, limit)
            results.append({"method": method, "run": run, **found})
            print(json.dumps(results[-1]), flush=True)
        results += efficiency([r for r in results if r["method"] == method])
    if options.json:
        record = {"rows": options.rows, "columns": COLUMNS, "dtype": "float32", "results": results}
        options.json.write_text(json.dumps(record, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
