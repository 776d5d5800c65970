"""The bootstrap and its estimates of error."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier

from gramian.evaluate import Bootstrap, bootstrap_error, corrected_errors, no_information_error


@given(n=st.integers(2, 40), seed=st.integers(0, 2**31))
def test_a_sample_has_n_rows_and_tests_on_the_others(n, seed):
    splits = list(Bootstrap(3, random_state=seed).split(range(n)))
    assert len(splits) == Bootstrap(3).get_n_splits()
    for drawn, left_out in splits:
        assert len(drawn) == n
        assert sorted({*drawn, *left_out}) == list(range(n))
        assert not set(drawn) & set(left_out)
        assert len(left_out) > 0


def test_a_sample_leaves_out_about_a_fraction_of_1_over_e():
    left = [len(test) for _, test in Bootstrap(200, random_state=0).split(range(500))]
    assert np.mean(left) / 500 == pytest.approx((1 - 1 / 500) ** 500, abs=0.004)


def test_stratified_samples_keep_the_classes():
    y = np.repeat([0, 1], [30, 5])
    for drawn, _ in Bootstrap(20, stratify=True, random_state=0).split(y, y):
        assert np.bincount(y[drawn]).tolist() == [30, 5]


def test_one_neighbour_on_pure_noise():
    """Efron and Tibshirani 1997: .632 says 0.316 where the truth is one half; .632+ is right."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(100, 5)), np.repeat([0, 1], 50)
    found = bootstrap_error(KNeighborsClassifier(1), X, y, random_state=0)
    assert found.apparent == 0
    assert found.no_information == pytest.approx(0.5)
    assert found.err632 < 0.36
    assert found.err632plus == pytest.approx(0.5, abs=0.07)
    assert found.overfitting > 0.8


@given(err=st.floats(0, 1), out=st.floats(0, 1), gamma=st.floats(0, 1))
def test_the_corrections_keep_their_order(err, out, gamma):
    """.632+ trusts the rows left out more than .632 does, and both lie between the two errors."""
    found = corrected_errors(err, out, gamma)
    assert 0 <= found.overfitting <= 1
    low, high = sorted([err, out])
    assert low - 1e-12 <= found.err632 <= high + 1e-12
    assert low - 1e-12 <= found.err632plus <= high + 1e-12
    if err < out <= gamma:
        assert found.err632plus >= found.err632 - 1e-12
    if found.overfitting == 0:
        assert found.err632plus == pytest.approx(found.err632)


@given(seed=st.integers(0, 2**31))
def test_no_information_is_the_mean_over_all_pairs(seed):
    rng = np.random.default_rng(seed)
    y, guess = rng.integers(3, size=12), rng.integers(3, size=12)
    assert no_information_error(y, guess) == pytest.approx((y[:, None] != guess).mean())
    a, b = rng.normal(size=9), rng.normal(size=9)
    pairs = ((a[:, None] - b) ** 2).mean()
    assert no_information_error(a, b, classes=False) == pytest.approx(pairs)


def test_a_regressor_is_judged_by_squared_error(rng):
    X = rng.normal(size=(80, 3))
    y = X @ [1.0, -1.0, 2.0] + rng.normal(size=80)
    found = bootstrap_error(LinearRegression(), X, y, random_state=0)
    fit = LinearRegression().fit(X, y)
    assert found.apparent == pytest.approx(np.mean((y - fit.predict(X)) ** 2))
    assert found.apparent < found.err632 < found.out_of_bag
    assert found.overfitting < 0.1


def test_frames_are_accepted(rng):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(rng.normal(size=(30, 2)), columns=["a", "b"])
    y = np.array(["no", "yes"] * 15)
    same = {"n_splits": 5, "random_state": 0}
    model = KNeighborsClassifier(3)
    assert bootstrap_error(model, frame, y, **same) == bootstrap_error(
        model, frame.to_numpy(), y, **same
    )


def test_bad_input_is_refused_with_advice():
    X, y = np.zeros((12, 1)), np.r_[np.zeros(11), 1]
    with pytest.raises(ValueError, match="has only one class; use stratify=True"):
        bootstrap_error(DummyClassifier(), X, y, random_state=0)
    bootstrap_error(DummyClassifier(), X, y, stratify=True, random_state=0)
    with pytest.raises(ValueError, match="one target for each of the 12 rows"):
        bootstrap_error(DummyClassifier(), X, y[:-1])
    with pytest.raises(ValueError, match="at least 2 rows"):
        next(Bootstrap(3).split([1]))
    with pytest.raises(ValueError, match="needs the classes"):
        next(Bootstrap(3, stratify=True).split(X))
    with pytest.raises(ValueError, match="every class has only one row"):
        next(Bootstrap(3, stratify=True).split([1, 2], [0, 1]))
