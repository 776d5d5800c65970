"""``python -m gramian``: a first look on data that scikit-learn ships."""

from time import perf_counter

import numpy as np
from sklearn.datasets import load_digits, load_wine
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import gramian
from gramian import KMeans, KNeighborsClassifier


def main() -> None:
    """Cluster the wines, classify the digits, and print what was done."""
    print(f"gramian {gramian.__version__}, {gramian.get_num_threads()} threads")

    wines = load_wine()
    X = StandardScaler().fit_transform(wines.data)
    started = perf_counter()
    clusters = KMeans(3, n_init=10, random_state=0).fit(X)
    spent = perf_counter() - started
    print(
        f"\nKMeans, {X.shape[0]} wines x {X.shape[1]} measurements, 3 clusters, best of 10 starts "
        f"({1000 * spent:.1f} ms):\n  within-cluster sum of squares {clusters.inertia_:.2f}\n"
        "  cluster  size  cultivar 0 / 1 / 2"
    )
    for k in range(3):
        inside = wines.target[clusters.labels_ == k]
        share = " / ".join(f"{count:3d}" for count in np.bincount(inside, minlength=3))
        print(f"  {k:>7d}  {len(inside):4d}  {share}")

    X, y = load_digits(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0, stratify=y)
    model = make_pipeline(StandardScaler(), KNeighborsClassifier(5))
    started = perf_counter()
    accuracy = model.fit(X_train, y_train).score(X_test, y_test)
    spent = perf_counter() - started
    print(
        f"\nKNeighborsClassifier, 5 neighbours, {len(X_train)} digits to learn from "
        f"({1000 * spent:.1f} ms):\n  {100 * accuracy:.1f} % of {len(X_test)} others named rightly"
    )


if __name__ == "__main__":
    main()
