"""Boosting on Dask against LightGBM and XGBoost on Dask: a program of its own.

    python -m benchmarks.scale_boosting [--rows 2000000] [--runs gramian lightgbm xgboost]

Every run is a process with a cluster of two processes of one thread. The rows, 20 columns
of float32, are drawn on the workers, four parts on each, and persisted before the clock starts; a
small fit before it imports what there is. 100 trees of 31 leaves, rate 0.1, 255 bins, at least
20 rows in a leaf, for two classes; judged by log loss on rows of another seed. For machines that
have other work, the processor time of each worker and of this process, with the scheduler, is
printed beside the seconds of the clock.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time

import numpy as np

COLUMNS, PARTS, TREES = 20, 8, 100


def draw(rows: int, seed: int):
    """Two classes by a rule with steps, waves and an interaction."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, COLUMNS), dtype=np.float32)
    z = X[:, 0] + np.abs(X[:, 1]) - (X[:, 2] > 0.5) + X[:, 3] * X[:, 4] + np.sin(3 * X[:, 5])
    return X, (z + rng.standard_normal(rows, dtype=np.float32) > 0.5).astype(np.int32)


def collections(client, rows: int, seed: int):
    """Arrays of parts that are drawn on the workers, the same number on each."""
    import dask
    import dask.array as da

    n, workers = rows // PARTS, sorted(client.scheduler_info()["workers"])
    drawn = [
        client.submit(draw, n, 100 * seed + j, workers=[workers[j % len(workers)]], pure=False)
        for j in range(PARTS)
    ]
    parts = [dask.delayed(part) for part in drawn]
    X = [da.from_delayed(part[0], (n, COLUMNS), np.float32) for part in parts]
    y = [da.from_delayed(part[1], (n,), np.int32) for part in parts]
    return da.concatenate(X), da.concatenate(y)


def fit_gramian(client, X, y, trees: int):
    from gramian import HistGradientBoostingClassifier
    from gramian.scale import fit

    model = HistGradientBoostingClassifier(max_iter=trees, early_stopping=False, random_state=0)
    return fit(model, X, y, client=client).predict_proba


def fit_lightgbm(client, X, y, trees: int):
    from lightgbm import DaskLGBMClassifier

    model = DaskLGBMClassifier(
        client=client, n_estimators=trees, num_leaves=31, learning_rate=0.1, max_bin=255,
        min_child_samples=20, random_state=0, verbose=-1,
    )  # fmt: skip
    return model.fit(X, y).to_local().predict_proba


def fit_xgboost(client, X, y, trees: int):
    from xgboost import dask as dxgb

    settings = {
        "objective": "binary:logistic", "tree_method": "hist", "grow_policy": "lossguide",
        "max_leaves": 31, "max_depth": 0, "eta": 0.1, "max_bin": 255, "nthread": 1, "seed": 0,
        "min_child_weight": 1e-3, "lambda": 0.0,
    }  # fmt: skip
    matrix = dxgb.DaskQuantileDMatrix(client, X, y, max_bin=255)
    booster = dxgb.train(client, settings, matrix, num_boost_round=trees)["booster"]
    return lambda rows: np.repeat(booster.inplace_predict(rows)[:, None], 2, axis=1)


FITS = {"gramian": fit_gramian, "lightgbm": fit_lightgbm, "xgboost": fit_xgboost}


def child(run: str, rows: int) -> None:
    """One run: only the second fit is timed."""
    from distributed import Client, LocalCluster, wait

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", memory_limit=None
        ) as cluster,
        Client(cluster) as client,
    ):
        FITS[run](client, *collections(client, 16_000, 3), 2)
        X, y = (part.persist() for part in collections(client, rows, 1))
        wait([X, y])
        used, here = client.run(time.process_time), time.process_time()
        begin = time.perf_counter()
        predict = FITS[run](client, X, y, TREES)
        seconds = time.perf_counter() - begin
        here = time.process_time() - here
        used = [after - used[name] for name, after in client.run(time.process_time).items()]
        judge, labels = draw(200_000, 2)
        p = np.clip(np.asarray(predict(judge), dtype=float)[:, 1], 1e-9, 1 - 1e-9)
        loss = float(-np.where(labels == 1, np.log(p), np.log1p(-p)).mean())
    found = {"seconds": seconds, "worker_cpu": used, "driver_cpu": here, "loss": loss}
    print(json.dumps({"run": run, "rows": rows, **found}))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--runs", nargs="*", default=list(FITS))
    parser.add_argument("--child")
    options = parser.parse_args()
    if options.child:
        child(options.child, options.rows)
        return 0
    one = {"GRAMIAN_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    for run in options.runs:
        command = [sys.executable, "-m", "benchmarks.scale_boosting", "--child", run]
        command += ["--rows", str(options.rows)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env={**os.environ, **one}
        )
        lines = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines()
        print(lines[-1] if lines else f"{run}: nothing", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
