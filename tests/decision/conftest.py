"""A decision problem shared by tests: cancer or not, by occupation."""

from gramian.textbook.decisions import DecisionProblem

PROBABILITIES = {"priors": [0.1, 0.9], "likelihoods": [[0.2, 0.5, 0.3], [0.01, 0.1, 0.89]]}


NAMES = {"states": ["cancer", "no"], "observations": ["miner", "farmer", "other"]}


def cancer(**changed):
    return DecisionProblem(**{**PROBABILITIES, **NAMES, "costs": [[0, 1], [5, 0]], **changed})
