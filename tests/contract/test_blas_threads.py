"""The number of BLAS threads changes no bit of any estimator's answers.

At a size at which BLAS uses its threads. Eigenvectors and singular vectors of larger matrices may
differ, see docs/determinism.rst.
"""

import os
import re
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import is_classifier
from threadpoolctl import threadpool_limits

from gramian.covariance import EmpiricalCovariance
from gramian.decomposition import PCA, FastICA, IncrementalPCA
from gramian.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from gramian.linear_model import (
    HuberRegressor,
    LeastAbsoluteDeviations,
    LinearRegression,
    QuantileRegressor,
    Ridge,
)
from gramian.preprocessing import Whitener
from gramian.svm import SVC, SVR, NuSVC, OneClassSVM
from tests.contract.estimators import assert_same_outputs, outputs, quick


# A number of rows or columns that its tiles divide can hide where BLAS cuts a product.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "columns", "dtype"),
    [("1200", "40", "float64"), ("1200", "40", "float32"), ("301", "131", "float64")],
)
def test_one_two_and_three_threads_of_blas_give_the_same_bits(rows, columns, dtype):
    printed = {}
    for threads in ("1", "2", "3"):
        run = subprocess.run(
            [sys.executable, "-m", "tests.contract.blas_threads", rows, columns, dtype],
            env=os.environ | {"OPENBLAS_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        printed[threads] = run.stdout.splitlines()
    assert len(printed["1"]) > 300
    for threads in ("2", "3"):
        pairs = zip(printed["1"], printed[threads], strict=True)
        assert [a for a, b in pairs if a != b] == []


def rows_times_rows(A, B):
    return A @ B.T


def answers_with(threads, model, X, y):
    """Return what a model fitted with so many threads of BLAS answers."""
    with threadpool_limits(threads, user_api="blas"):
        found = outputs(quick(model, iterations=5).fit(X, y), X)
    return {name: np.array(values) for name, values in found.items()}


@pytest.mark.filterwarnings("ignore")  # few iterations
@pytest.mark.parametrize(("n", "d"), [(700, 30), (301, 131)])
@pytest.mark.parametrize(
    "model",
    [
        EmpiricalCovariance(),
        PCA(),
        IncrementalPCA(n_components=20),
        FastICA(random_state=0),
        LinearDiscriminantAnalysis(solver="eigen", shrinkage=0.1),
        LinearDiscriminantAnalysis(solver="lsqr"),
        QuadraticDiscriminantAnalysis(reg_param=0.1),
        LinearRegression(positive=True),
        LinearRegression(),
        Ridge(solver="svd"),
        Ridge(positive=True),
        HuberRegressor(),
        LeastAbsoluteDeviations(),
        QuantileRegressor(quantile=0.3),
        Whitener(),
        SVC(kernel="linear"),
        SVR(kernel="poly"),
        NuSVC(kernel="sigmoid", nu=0.3),
        OneClassSVM(kernel=rows_times_rows),
    ],
    ids=lambda value: re.sub(" at 0x[0-9a-f]+", "", repr(value)),  # the same in every process
)
def test_shapes_that_no_tile_divides(model, n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    X[:, 1] = X[:, 0] + 1e-9 * rng.normal(size=n)  # least squares is solved by QR
    y = X[:, 2] + rng.normal(size=n)
    y = np.arange(n) % 3 if is_classifier(model) else y
    first = answers_with(1, model, X, y)
    assert_same_outputs(first, answers_with(2, model, X, y))


@pytest.mark.parametrize("model", [PCA(40), IncrementalPCA(n_components=40), Whitener(), FastICA()])
def test_ways_back_to_the_rows(model):
    X = np.random.default_rng(0).normal(size=(457, 131))
    Z = model.fit_transform(X)
    found = []
    for threads in (1, 2):
        with threadpool_limits(threads, user_api="blas"):
            found.append(model.inverse_transform(Z))
    np.testing.assert_array_equal(*found)
