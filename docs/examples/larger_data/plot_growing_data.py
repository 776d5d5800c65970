"""
How passes over large data scale
================================

Fitting in chunks takes one or more passes: each worker sums over its parts, and the sums are
merged. Here we simulate, task by task, one pass of least squares over a billion rows of 20
columns. Because the scheduler starts one task after the other, more workers do not help beyond a
certain point.
"""

import heapq

import matplotlib.pyplot as plt
import numpy as np

from gramian import LinearRegression, scale

# %%
# The constants are: the processor time to read a row of Parquet and to add it to a sum, measured by
# ``python -m benchmarks.scale`` with 20,000,000 rows of 20 columns of float32; the processor time
# of Dask's scheduler per task, measured by the same command; and the latency and bandwidth of a
# network of 1 Gbit/s.
ROW, TASK, LATENCY, BYTES = 0.14e-6, 0.64e-3, 0.5e-3, 1.25e8


def one_pass(rows, parts, workers, d=20, fan_in=16):
    """Simulate one pass: tasks are started one by one, workers take them when they are free."""
    free = [0.0] * workers
    heapq.heapify(free)
    ends = []
    for task in range(parts):
        begin = max(heapq.heappop(free), (task + 1) * TASK) + LATENCY
        ends.append(begin + rows / parts * ROW)
        heapq.heappush(free, ends[-1])
    sums = 8 * (d + 2) ** 2
    while len(ends) > 1:
        groups = [ends[j : j + fan_in] for j in range(0, len(ends), fan_in)]
        ends = [max(g) + TASK + LATENCY + len(g) * sums / BYTES for g in groups]
    return ends[0]


workers = np.unique(np.geomspace(1, 1000, 25).astype(int))
fig, ax = plt.subplots()
for parts in (1000, 4000, 16000):
    seconds = [one_pass(10**9, parts, w) for w in workers]
    ax.plot(workers, seconds, label=f"{parts:,} parts of {10**9 // parts:,} rows")
ax.plot(workers, [10**9 * ROW / w for w in workers], "k:", label="work / workers")
ax.set(xscale="log", yscale="log", xlabel="workers", ylabel="seconds of a pass")
ax.set_title("One pass of least squares over a billion rows, simulated")
ax.legend()
plt.show()

# %%
# Now we make a real pass, over chunks of an array; a file of any size would work in the same way.
# The result equals that of fitting all rows together.
rng = np.random.default_rng(0)
X = rng.normal(size=(30_000, 4))
y = X @ [1.0, 2.0, 0.0, -1.0] + rng.normal(size=30_000)
whole = LinearRegression().fit(X, y)
for rows in (30_000, 7_000, 512):
    parts = scale.fit(LinearRegression(), scale.chunks(X, y, rows=rows))
    print(rows, parts.coef_, np.array_equal(parts.coef_, whole.coef_))
