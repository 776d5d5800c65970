"""
Hashing near rows into the same bucket
======================================

Locality-sensitive hashing misses a few of the true neighbours but is faster. Two rows at an angle
t lie on the same side of a random hyperplane with probability 1 - t / pi, so rows that lie on the
same side of many hyperplanes are probably near each other; a query is compared only with those.
`gramian.LSHNeighbors` visits as many buckets as the requested recall requires.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian import LSHNeighbors, NearestNeighbors

rng = np.random.default_rng(0)
hidden = rng.normal(size=(21_000, 8))
bent = np.tanh(hidden @ rng.normal(size=(8, 64))) + 0.05 * rng.normal(size=(21_000, 64))
noise = rng.normal(size=(21_000, 64))

# %%
# Rows with structure (64 features that depend on 8 hidden variables) need few comparisons. In
# pure noise, the nearest rows are hardly nearer than any others, so hashing does not help. By
# default, the model detects that visiting buckets would cost more than an exhaustive search and
# uses the latter; here the number of buckets is given.

buckets = [4, 16, 64, 256, 1024]
recall, proportion, alone = {}, {}, {}
for name, table in {"8 hidden variables": bent, "noise": noise}.items():
    X, queries = table[:20_000], table[20_000:20_300]
    exact, _ = NearestNeighbors(n_neighbors=10).fit(X).kneighbors(queries)
    models = [LSHNeighbors(n_neighbors=10, n_probes=b, random_state=0).fit(X) for b in buckets]
    answers = [model.kneighbors(queries)[0] for model in models]
    recall[name] = [float(np.mean(found <= exact[:, -1:])) for found in answers]
    proportion[name] = [model.n_candidates_ / len(X) for model in models]
    alone[name] = LSHNeighbors(n_neighbors=10, recall=0.95, random_state=0).fit(X)
    print(f"{name}: {alone[name].n_probes_} buckets, {alone[name].n_candidates_:.0f} rows a query")

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
for name in recall:
    left.plot(buckets, recall[name], marker="o", label=name)
    right.plot(recall[name], proportion[name], marker="o", label=name)
left.set(xlabel="buckets", ylabel="recall", xscale="log")
right.set(xlabel="recall", ylabel="proportion of rows searched", yscale="log")
left.legend()
plt.show()

# %%
# The property that makes it work: how often two rows lie on the same side of a hyperplane.

angles = np.linspace(0, np.pi, 19)
normals = rng.normal(size=(2, 20_000))
agree = [
    float(np.mean((normals[0] > 0) == (np.cos(t) * normals[0] + np.sin(t) * normals[1] > 0)))
    for t in angles
]
figure, ax = plt.subplots(figsize=(5, 3.2), layout="constrained")
ax.plot(angles, 1 - angles / np.pi, color="grey", label="1 - t / pi")
ax.plot(angles, agree, "o", markersize=4, label="20000 hyperplanes")
ax.set(xlabel="angle t between two rows", ylabel="same side")
ax.legend()
plt.show()
