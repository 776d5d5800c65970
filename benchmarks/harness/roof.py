"""Peak rates of this machine, measured for comparison with the results.

Prints one JSON object; run in a process of its own.
"""

from __future__ import annotations

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

SIZE = 2048
STREAM = 32 * 2**20  # doubles, 256 MB per array: much larger than any cache
ROUNDS = 8


def best(work):
    """Minimum seconds of a few calls, after a warm-up call."""
    work()
    seconds = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def gemm(dtype):
    """GFLOP/s of a square matrix product by NumPy's BLAS."""
    A = np.random.default_rng(0).standard_normal((SIZE, SIZE)).astype(dtype)
    B, C = A.T.copy(), np.empty_like(A)
    return 2 * SIZE**3 / best(lambda: np.matmul(A, B, out=C)) / 1e9


def stream(threads):
    """GB/s of adding two arrays into a third (two reads, one write), a part to each thread."""
    a, b, c = np.ones(STREAM), np.ones(STREAM), np.empty(STREAM)
    parts = [np.array_split(array, threads) for array in (a, b, c)]
    with ThreadPoolExecutor(threads) as pool:
        return 3 * a.nbytes / best(lambda: list(pool.map(np.add, *parts))) / 1e9


if __name__ == "__main__":
    threads = int(os.environ["OMP_NUM_THREADS"])
    figures = {"sgemm": gemm("float32"), "dgemm": gemm("float64"), "stream": stream(threads)}
    print(json.dumps({name: round(value, 1) for name, value in figures.items()}))
