"""How well networks read scikit-learn's digits, with intervals.

``python -m benchmarks.digits_networks lenet`` enlarges the 1,797 digits to 32 x 32 by linear
interpolation and compares LeNet-5, trained on them and on copies moved by two pixels, with an RBF
SVC on the 64 pixels, by StratifiedKFold with 5 shuffled folds and the seeds 0 to 2 (epochs, rate
and copies were chosen on folds of seed 10). ``python -m benchmarks.digits_networks dropout`` has no
copies: LeNet-5 as it is beside LeNet-5 with dropout before its dense layers (tried on two folds of
seed 3). ``python -m benchmarks.digits_networks labels`` gives a network the labels of 5 % of the
training rows of the same folds, pre-trained on all of them as stacked denoising autoencoders or
not. All print the mean accuracies and what
`gramian.evaluate.compare_scores` makes of the differences. The guide records what was measured.
"""

from __future__ import annotations

import sys

import numpy as np
from scipy.ndimage import zoom
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.model_selection import StratifiedKFold, train_test_split

from gramian import SVC, StackedDenoisingClassifier
from gramian.evaluate import compare_scores
from gramian.neural_network import Dropout, LeNet5

SEEDS = (0, 1, 2)


def folds(y, seeds):
    for seed in seeds:
        splitter = StratifiedKFold(5, shuffle=True, random_state=seed)
        for train, test in splitter.split(np.zeros(len(y)), y):
            yield seed, train, test


def with_moved_copies(images, y):
    """Add four copies, moved by two pixels up, down, left and right."""
    moved = [np.roll(images, by, axis=axis) for axis in (1, 2) for by in (-2, 2)]
    return np.concatenate([images, *moved]), np.tile(y, 5)


def lenet(seeds):
    digits = load_digits()
    y, pixels = digits.target, digits.data / 16
    images = zoom(digits.images / 16, (1, 4, 4), order=1).astype(np.float32)
    scores = {"LeNet5": [], "SVC": []}
    for seed, train, test in folds(y, seeds):
        net = LeNet5(
            max_iter=12,
            batch_size=64,
            learning_rate_init=2e-3,
            learning_rate="cosine",
            alpha=1e-4,
            n_iter_no_change=None,
            random_state=seed,
        ).fit(*with_moved_copies(images[train], y[train]))
        machine = SVC(C=10.0, gamma="scale").fit(pixels[train], y[train])
        scores["LeNet5"].append(net.score(images[test], y[test]))
        scores["SVC"].append(machine.score(pixels[test], y[test]))
        print(f"seed {seed}: {scores['LeNet5'][-1]:.4f} {scores['SVC'][-1]:.4f}", flush=True)
    report(scores, len(y))


def dropout(seeds):
    digits = load_digits()
    y, images = digits.target, zoom(digits.images / 16, (1, 4, 4), order=1).astype(np.float32)
    plain = LeNet5(
        max_iter=30,
        batch_size=32,
        learning_rate_init=2e-3,
        learning_rate="cosine",
        alpha=1e-4,
        n_iter_no_change=None,
    )
    *maps, first, second = plain.layers
    layers = [*maps, Dropout(0.3), first, Dropout(0.3), second]
    models = {"LeNet5": plain, "with dropout": clone(plain).set_params(layers=layers)}
    scores = {name: [] for name in models}
    for seed, train, test in folds(y, seeds):
        for name, model in models.items():
            net = clone(model).set_params(random_state=seed).fit(images[train], y[train])
            scores[name].append(net.score(images[test], y[test]))
        print(f"seed {seed}:", *(f"{values[-1]:.4f}" for values in scores.values()), flush=True)
    report(scores, len(y))


def labels(seeds):
    digits = load_digits()
    X, y = (digits.data / 16).astype(np.float32), digits.target
    scores = {"pre-trained": [], "plain": []}
    for seed, train, test in folds(y, seeds):
        known, _ = train_test_split(train, train_size=0.05, stratify=y[train], random_state=seed)
        for name, epochs in (("pre-trained", 60), ("plain", 0)):
            model = StackedDenoisingClassifier(
                (200, 100),
                loss="cross_entropy",
                noise_level=0.3,
                pretrain_iter=epochs,
                learning_rate_init=3e-3,
                batch_size=50,
                max_iter=150,
                random_state=seed,
            )
            model.fit(X[known], y[known], X[train] if epochs else None)
            scores[name].append(model.score(X[test], y[test]))
        print(f"seed {seed}: {scores['pre-trained'][-1]:.4f} {scores['plain'][-1]:.4f}", flush=True)
    report(scores, len(y))


def report(scores, n):
    for name, values in scores.items():
        print(f"{name}: mean {np.mean(values):.4f}, deviation {np.std(values, ddof=1):.4f}")
    print(compare_scores(scores, test_over_train=1 / 4, tested_rows=n))


if __name__ == "__main__":
    {"lenet": lenet, "dropout": dropout, "labels": labels}[sys.argv[1]](
        tuple(map(int, sys.argv[2:])) or SEEDS
    )
