"""HOMER, RAkEL and binary relevance with the same base learner, on the split of Mulan.

``GRAMIAN_DATA=... python -m benchmarks.label_hierarchies [emotions yeast ...]`` fits each to the
training table and judges it on the test table, with trees and with logistic regression of
standardised columns as bases; HOMER divides labels by balanced k-means and at random, with three
children. It prints Hamming loss, micro and macro F1 and the average precision of the rankings,
means over the seeds 0 to 4 where labels are divided by chance; for HOMER also how many learners a
row visits, of how many there are. The guide records what was measured.
"""

from __future__ import annotations

import sys

import numpy as np
from sklearn.preprocessing import StandardScaler

from benchmarks.multilabel import read
from gramian import HOMER, BinaryRelevance, DecisionTreeClassifier, LogisticRegression, RAkELo
from gramian.evaluate import multilabel_report

SEEDS = range(5)
SHOWN = ("hamming_loss", "f1_micro", "f1_macro", "average_precision")
BASES = {
    "tree": DecisionTreeClassifier(min_samples_leaf=2, random_state=0),
    "logistic": LogisticRegression(),
}


def learners(base):
    """The learners that are compared, by name, one for each seed."""
    relevance = BinaryRelevance(base)
    return {
        "BinaryRelevance": [relevance],
        "HOMER, balanced": [HOMER(relevance, random_state=seed) for seed in SEEDS],
        "HOMER, random": [
            HOMER(relevance, distribution="random", random_state=seed) for seed in SEEDS
        ],
        "RAkELo": [RAkELo(base, random_state=seed) for seed in SEEDS],
    }


def judged(model, Q, truth):
    """The metrics of a fitted learner, and the parts of HOMER that a row visits."""
    report = multilabel_report(truth, model.decision_function(Q), model.predict(Q), n_bootstrap=2)
    values = [report.metrics[metric].estimate for metric in SHOWN]
    if isinstance(model, HOMER):
        values += [model.visited_nodes(Q).mean(), len(model.estimators_)]
    return values


def main(names):
    print(f"{'data':10} {'base':9} {'learner':16} " + " ".join(f"{s:>17}" for s in SHOWN))
    for name in names:
        X, Y, Q, truth = read(name)
        scaler = StandardScaler().fit(X)
        X, Q = scaler.transform(X), scaler.transform(Q)
        for base_name, base in BASES.items():
            for learner_name, seeds in learners(base).items():
                found = np.mean([judged(model.fit(X, Y), Q, truth) for model in seeds], axis=0)
                values = " ".join(f"{value:17.4f}" for value in found[: len(SHOWN)])
                visited = found[len(SHOWN) :]
                nodes = (
                    "   {:.1f} of {:.0f} learners visited".format(*visited) if len(visited) else ""
                )
                print(f"{name:10} {base_name:9} {learner_name:16} {values}{nodes}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or ["emotions", "yeast"])
