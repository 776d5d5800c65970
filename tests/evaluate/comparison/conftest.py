"""Models and data shared by the tests of comparisons."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from gramian.evaluate import compare

X, Y = load_iris(return_X_y=True)
NOISY = X + np.random.default_rng(0).normal(size=X.shape)
MODELS = {
    "bayes": GaussianNB(),
    "stump": DecisionTreeClassifier(max_depth=1),
    "scaled 5-nn": make_pipeline(StandardScaler(), KNeighborsClassifier(5)),
}


@pytest.fixture(scope="session")
def found():
    return compare(MODELS, NOISY, Y)
