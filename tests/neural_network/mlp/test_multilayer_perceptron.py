"""What classifiers and regressors share: restarts, validation rows, repetition, odd input."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

import gramian
from gramian import MLPClassifier, MLPRegressor
from gramian.base.errors import DataError

rng = np.random.default_rng(1)
X = rng.normal(size=(150, 5))
y = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2]
pytestmark = [pytest.mark.numeric, pytest.mark.filterwarnings("ignore:.*not converged")]


def test_the_same_seed_gives_the_same_result():
    settings = {"hidden_layer_sizes": (9,), "dropout": 0.3, "max_iter": 10, "batch_size": 32}
    one, two, other = (
        MLPRegressor(random_state=seed, **settings).fit(X, y).predict(X) for seed in (4, 4, 5)
    )
    np.testing.assert_array_equal(one, two)
    assert (one != other).any()


def test_the_best_of_several_starts_is_kept():
    """NE-33: each start alone is one of a fit with more of them."""
    settings = {"hidden_layer_sizes": (3,), "solver": "lbfgs", "max_iter": 60}
    gains = []
    for seed in range(4):
        losses = [
            MLPRegressor(n_init=starts, random_state=seed, **settings).fit(X, y).loss_
            for starts in (1, 5)
        ]
        gains.append(losses[0] - losses[1])
    assert min(gains) >= 0
    assert max(gains) > 0


def test_validation_rows_are_checked():
    model = MLPRegressor(hidden_layer_sizes=(3,), max_iter=3)
    with pytest.raises(ValueError, match="y_val is missing"):
        model.fit(X, y, X_val=X)
    with pytest.raises(ValueError, match="needs X_val and y_val"):
        model.fit(X, y, sample_weight_val=y)
    with pytest.raises(ValueError, match="X_val or y_val is invalid"):
        model.fit(X, y, X_val=X[:, :3], y_val=y)
    with pytest.raises(ValueError, match="X_val needs a stochastic solver"):
        MLPRegressor(solver="lbfgs").fit(X, y, X_val=X, y_val=y)
    with pytest.raises(ValueError, match="validation rows cannot be split off"):
        MLPClassifier(early_stopping=True).fit(X[:3], [0, 0, 1])
    with pytest.raises(ValueError, match="does not support early_stopping"):
        MLPRegressor(early_stopping=True).partial_fit(X, y)


def test_a_stochastic_solver_is_needed_for_partial_fit():
    assert not hasattr(MLPRegressor(solver="lbfgs"), "partial_fit")
    assert hasattr(MLPRegressor(solver="sgd"), "partial_fit")


def test_sparse_rows_give_the_result_of_dense_ones():
    thin = X * (np.abs(X) > 1)
    settings = {"hidden_layer_sizes": (9,), "max_iter": 5, "random_state": 0}
    dense = MLPRegressor(**settings).fit(thin, y)
    sparse = MLPRegressor(**settings).fit(sp.csr_array(thin), y)
    np.testing.assert_array_equal(sparse.coefs_[0], dense.coefs_[0])
    np.testing.assert_array_equal(sparse.predict(sp.csc_array(thin)), dense.predict(thin))


@pytest.mark.parametrize("batch_norm", [False, True])
def test_odd_tables_work(batch_norm):
    settings = {"hidden_layer_sizes": (4,), "max_iter": 5, "batch_norm": batch_norm}
    for table in (np.ones((10, 2)), np.repeat(X[:1], 12, axis=0), rng.normal(size=(6, 300))):
        t = np.arange(len(table), dtype=float)
        model = MLPRegressor(random_state=0, **settings).fit(table, t)
        assert np.isfinite(model.predict(table)).all()
    with pytest.warns(UserWarning, match="batch_size=10000 exceeds the 150 rows"):
        one_batch = MLPRegressor(random_state=0, batch_size=10_000, **settings).fit(X, y)
    assert one_batch.training_state_["t"] == 5  # a batch larger than the table is the table


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"max_iter": 1}, "max_iter=1 epochs"),
        ({"solver": "lbfgs", "max_iter": 2}, "max_iter=2 steps"),
        ({"batch_size": 1000, "max_iter": 1}, "batch_size=1000 exceeds"),
        ({"hidden_layer_sizes": (), "solver": "sgd", "learning_rate_init": 1.7}, "best epoch"),
    ],
)
def test_warnings_name_the_line_of_the_user(settings, words):
    with pytest.warns(match=words) as found:
        MLPRegressor(random_state=0, **settings).fit(X, X[:, 0])
    assert {warning.filename for warning in found} == {__file__}


def test_one_row_is_enough():
    assert np.isfinite(MLPRegressor(max_iter=2, random_state=0).fit([[1.0, 2.0]], [3.0]).loss_)


def test_huge_columns_are_refused():
    with pytest.raises(ValueError, match="1e\\+100 at most"):
        MLPRegressor().fit(X * 1e150, y)


def test_cuda_without_torch_or_a_gpu_says_what_to_do():
    with pytest.raises((ImportError, ValueError), match=r"gramian\[nn\]|finds no CUDA device"):
        MLPRegressor(device="cuda", max_iter=1).fit(X, y)


def test_a_warm_start_needs_the_same_classes():
    X, y = np.arange(12.0)[:, None], np.arange(12) % 3
    model = MLPClassifier((2,), max_iter=500, tol=1.0, warm_start=True, random_state=0).fit(X, y)
    with pytest.raises(DataError, match="same classes as in the previous call to fit"):
        model.fit(X, np.arange(12) % 2)


def test_rows_to_stop_by_are_two_at_least():
    with pytest.raises(DataError, match="The validation set is too small"):
        MLPRegressor(early_stopping=True).fit([[0.0], [1.0]], [0.0, 1.0])


def test_one_epoch_is_warned_of_too():
    model = MLPRegressor(hidden_layer_sizes=(2,), max_iter=1, random_state=0)
    with pytest.warns(ConvergenceWarning, match="max_iter=1"):
        model.fit([[0.0], [1.0]], [0.0, 1.0])


def test_parameters_are_checked_again_where_training_goes_on():
    model = MLPRegressor(hidden_layer_sizes=(3,), warm_start=True, max_iter=2).fit(X, y)
    with pytest.raises(ValueError, match="alpha must be a number >= 0; got -1"):
        model.set_params(alpha=-1.0).fit(X, y)
    with pytest.raises(ValueError, match="alpha must be a number >= 0; got -1"):
        model.partial_fit(X, y)


@pytest.mark.parametrize("solver", ["sgd", "adagrad", "adam"])
def test_a_call_that_fails_leaves_the_state_of_the_optimiser_as_it_was(solver):
    first, second = (
        MLPRegressor(hidden_layer_sizes=(3,), solver=solver, random_state=0).partial_fit(X, y)
        for _ in range(2)
    )
    with pytest.raises(ValueError, match="the loss is not finite"):
        first.partial_fit(X * 1e99, y * 1e99)
    np.testing.assert_array_equal(
        first.partial_fit(X, y).coefs_[0], second.partial_fit(X, y).coefs_[0]
    )


def test_rows_to_stop_by_have_the_targets_of_the_others():
    model = MLPRegressor(hidden_layer_sizes=(3,), max_iter=3)
    with pytest.raises(ValueError, match="y_val must have as many columns as y"):
        model.fit(X, np.column_stack([y, y]), X_val=X, y_val=y)
    with pytest.raises(ValueError, match=r"X_val or y_val is invalid.*1e\+100 at most"):
        model.fit(X, y, X_val=X * 1e150, y_val=y)


@pytest.mark.parametrize("model", [gramian.MLPRegressor, gramian.MLPClassifier])
def test_held_out_rows_without_weight_are_refused(model):
    X, y, weights = np.arange(40.0)[:, None], np.arange(40) % 2, (np.arange(40) < 2) * 1.0
    with pytest.raises(DataError, match=f"{model.__name__}: sample_weight is 0 for all rows"):
        model(early_stopping=True, max_iter=2, random_state=0).fit(X, y, sample_weight=weights)
