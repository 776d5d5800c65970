"""Multi-label learners: fit and predict, on the published split; the answer is the label sets.

The tables of Mulan are found through GRAMIAN_DATA. scikit-multilearn 0.2.0 is repaired at run time:
it passes k to scikit-learn's NearestNeighbors by position, which raises since scikit-learn 1.0.
Its ML-kNN counts a training row as its own neighbour, as its documentation advises, and so predicts
a label more readily; ML-kNN is judged by the pairs of row and label that are right. It is timed on
a part of the rows of bibtex and delicious, where its loops over rows and labels would take minutes.
liblinear penalises the intercept, another problem. The fits of scikit-learn's wrappers run in two
processes, whose memory is not counted. HOMER's aim is a minute, fit and predictions.
"""

from __future__ import annotations

import os
from functools import cache, partial
from pathlib import Path

import numpy as np

from benchmarks.harness.workload import Quality, Workload

FOLDER = os.environ.get("GRAMIAN_DATA")
WARM = 10  # of the rows asked for in the warm-up, one in so many


@cache
def read(name):
    """Training and test rows with their labels; sparse tables as CSR."""
    import scipy.sparse as sp

    from gramian.data import read_arff

    parts = []
    for part in ("train", "test"):
        path = Path(FOLDER, f"{name}-{part}.arff.gz")
        table = read_arff(path, labels=Path(FOLDER, f"{name}.xml"))
        X = table.matrix(table.feature_names)
        parts += [sp.csr_matrix(X) if name in ("bibtex", "delicious") else X]
        parts += [table.label_matrix().astype(int)]
    return parts


def table(name, *, n=None, rows=None, each=1):
    """The first rows, all if None, with one in `each` labels; fewer rows in the warm-up."""
    X, Y, Q, truth = read(name)
    most = n // WARM if n is not None else rows
    return X[:most], Y[:most, ::each], Q[:most], truth[:most, ::each]


def f1_micro(predicted, *data):
    """Micro F1 of the predicted label sets."""
    from sklearn.metrics import f1_score

    return float(f1_score(data[-1], predicted, average="micro", zero_division=0))


def right_pairs(predicted, *data):
    """Proportion of pairs of row and label that are predicted right, 1 - the Hamming loss."""
    from sklearn.metrics import hamming_loss

    return float(1 - hamming_loss(data[-1], predicted))


ELSEWHERE = "the other libraries fit in two separate processes, whose memory is not counted"
F1 = Quality("micro F1", f1_micro, better="higher", agree=0.03)
PAIRS = Quality("1 - Hamming loss", right_pairs, better="higher", agree=0.02)


# --- ML-kNN -------------------------------------------------------------------------------------


def our_mlknn(X, Y, Q, _truth):
    from gramian import MLkNN

    return MLkNN(10).fit(X, Y).predict(Q)


def their_mlknn(X, Y, Q, _truth):
    from sklearn.neighbors import NearestNeighbors
    from skmultilearn.adapt import MLkNN, mlknn

    mlknn.NearestNeighbors = lambda k: NearestNeighbors(n_neighbors=k, n_jobs=2)  # the repair
    return MLkNN(10).fit(X, Y).predict(Q)


# --- binary relevance ---------------------------------------------------------------------------


def our_relevance(X, Y, Q, _truth):
    from gramian import BinaryRelevance, LogisticRegression

    return BinaryRelevance(LogisticRegression()).fit(X, Y).predict(Q)


def one_vs_rest(X, Y, Q, _truth):
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier

    return OneVsRestClassifier(LogisticRegression(), n_jobs=2).fit(X, Y).predict(Q)


def multi_output(X, Y, Q, _truth):
    from sklearn.linear_model import LogisticRegression
    from sklearn.multioutput import MultiOutputClassifier

    varied = Y.min(axis=0) < Y.max(axis=0)  # it refuses a label that no row of the warm-up has
    found = np.tile(Y[0], (Q.shape[0], 1))
    model = MultiOutputClassifier(LogisticRegression(), n_jobs=2).fit(X, Y[:, varied])
    found[:, varied] = model.predict(Q)
    return found


def liblinear(X, Y, Q, _truth):
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier

    solver = LogisticRegression(solver="liblinear")
    return OneVsRestClassifier(solver, n_jobs=2).fit(X, Y).predict(Q)


# --- label powersets and chains of trees ----------------------------------------------------------


def our_rakel(X, Y, Q, _truth):
    from gramian import DecisionTreeClassifier, RAkELo

    tree = DecisionTreeClassifier(random_state=0)
    return RAkELo(tree, labelset_size=3, n_estimators=28, random_state=0).fit(X, Y).predict(Q)


def their_rakel(X, Y, Q, _truth):
    from sklearn.tree import DecisionTreeClassifier
    from skmultilearn.ensemble import RakelO

    tree = DecisionTreeClassifier(random_state=0)
    return RakelO(tree, labelset_size=3, model_count=28).fit(X, Y).predict(Q)


def our_chain(X, Y, Q, _truth):
    from gramian import ClassifierChain, DecisionTreeClassifier

    return ClassifierChain(DecisionTreeClassifier(random_state=0)).fit(X, Y).predict(Q)


def their_chain(X, Y, Q, _truth):
    from sklearn.multioutput import ClassifierChain
    from sklearn.tree import DecisionTreeClassifier

    return ClassifierChain(DecisionTreeClassifier(random_state=0)).fit(X, Y).predict(Q)


# --- HOMER ----------------------------------------------------------------------------------------


def homer(X, Y, Q, _truth):
    from gramian import HOMER, BinaryRelevance, LogisticRegression

    base = BinaryRelevance(LogisticRegression())
    return HOMER(base, n_children=5, random_state=0).fit(X, Y).predict(Q)


WORKLOADS = [
    Workload(
        name="ML-kNN, yeast, k=10",
        dtype="float64",
        data=partial(table, "yeast"),
        contenders={"gramian": our_mlknn, "scikit-multilearn": their_mlknn},
        quality=PAIRS,
        aim=20.0,
        once=("scikit-multilearn",),
    ),
    Workload(
        name="ML-kNN, bibtex, 1000 rows of each part, k=10",
        dtype="float64 CSR",
        data=partial(table, "bibtex", rows=1_000),
        contenders={"gramian": our_mlknn, "scikit-multilearn": their_mlknn},
        quality=PAIRS,
        aim=20.0,
        once=("scikit-multilearn",),
    ),
    Workload(
        name="ML-kNN, delicious, 500 rows of each part, k=10",
        dtype="float64 CSR",
        data=partial(table, "delicious", rows=500),
        contenders={"gramian": our_mlknn, "scikit-multilearn": their_mlknn},
        quality=PAIRS,
        aim=20.0,
        once=("scikit-multilearn",),
    ),
    Workload(
        name="binary relevance, logistic, bibtex",
        dtype="float64 CSR",
        data=partial(table, "bibtex"),
        contenders={
            "gramian": our_relevance,
            "scikit-learn": one_vs_rest,
            "scikit-learn, MultiOutput": multi_output,
            "scikit-learn, liblinear": liblinear,
        },
        quality=F1,
        aim=5.0,
        once=("scikit-learn", "scikit-learn, MultiOutput", "scikit-learn, liblinear"),
        why=ELSEWHERE,
    ),
    Workload(
        name="binary relevance, logistic, delicious, one in ten labels",
        dtype="float64 CSR",
        data=partial(table, "delicious", each=10),
        contenders={
            "gramian": our_relevance,
            "scikit-learn": one_vs_rest,
            "scikit-learn, MultiOutput": multi_output,
            "scikit-learn, liblinear": liblinear,
        },
        quality=F1,
        aim=5.0,
        once=("scikit-learn", "scikit-learn, MultiOutput", "scikit-learn, liblinear"),
        why=ELSEWHERE,
    ),
    Workload(
        name="RAkELo of trees, yeast, 28 sets of 3",
        dtype="float64",
        data=partial(table, "yeast"),
        contenders={"gramian": our_rakel, "scikit-multilearn": their_rakel},
        quality=F1,
        aim=10.0,
        once=("scikit-multilearn",),
    ),
    Workload(
        name="chain of trees, yeast",
        dtype="float64",
        data=partial(table, "yeast"),
        contenders={"gramian": our_chain, "scikit-learn": their_chain},
        quality=F1,
        aim=5.0,
    ),
    Workload(
        name="HOMER of logistic models, delicious (aim: 60 s)",
        dtype="float64 CSR",
        data=partial(table, "delicious"),
        contenders={"gramian": homer, "plain BinaryRelevance": our_relevance},
        quality=Quality("micro F1", f1_micro, better="higher", agree=1.0),
        aim=0.1,
    ),
]
WORKLOADS = WORKLOADS if FOLDER else []
