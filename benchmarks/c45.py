"""C4.5 against what Weka 3.6's J48 reaches: ten 10-fold runs on the textbook tables.

Run with ``python -m benchmarks.c45 [table ...]``; the tables are found through GRAMIAN_DATA.
"""

import os
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedKFold

from gramian.tree import C45_DEFAULTS, C45Classifier
from tests.tree.real import J48, load


def accuracy(X, y, pruning, run):
    right = 0
    for kept, held in StratifiedKFold(10, shuffle=True, random_state=run).split(X, y):
        model = C45Classifier(**C45_DEFAULTS["weka"], pruning=pruning, random_state=run)
        right += (model.fit(X.iloc[kept], y[kept]).predict(X.iloc[held]) == y[held]).sum()
    return 100 * right / len(y)


def main():
    warnings.filterwarnings("ignore", message="The least populated class")
    folder = Path(os.environ["GRAMIAN_DATA"])
    chosen = sys.argv[1:] or J48
    for name in chosen:
        settings = J48[name]
        X, y = load(folder, name)
        for pruning, published in settings.items():
            model = C45Classifier(**C45_DEFAULTS["weka"], pruning=pruning, random_state=0).fit(X, y)
            line = f"{name:20s} {pruning or 'unpruned':14s} "
            line += f"{model.get_n_leaves()}/{model.tree_.node_count}"
            line += f" (J48 {published.leaves}/{published.size})"
            if published.accuracy is not None:
                runs = [accuracy(X, y, pruning, run) for run in range(10)]
                line += f", {np.mean(runs):.1f} ({np.std(runs, ddof=1):.1f})"
                line += f" (J48 {published.accuracy} ({published.deviation}))"
            print(line, flush=True)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 20))
    y = (X[:, :5].sum(axis=1) + rng.normal(size=20_000) > 0).astype(int)
    start = time.perf_counter()
    leaves = C45Classifier().fit(X, y).get_n_leaves()
    print(f"20000 x 20 numbers: {time.perf_counter() - start:.2f} s, {leaves} leaves")


if __name__ == "__main__":
    main()
