from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import StratifiedKFold

import gramian
from gramian.base.errors import DataError, ParameterError
from gramian.tree import C45_DEFAULTS, C45Classifier, export_text, gain_ratio, information_gain
from gramian.tree.structure.tree import EACH, GROUP
from tests.tree.real import J48, load

WEKA = C45_DEFAULTS["weka"]


@pytest.mark.parametrize("pruning", ["pessimistic", None])
@pytest.mark.parametrize("name", J48)
def test_leaves_and_size_on_all_rows_agree_with_j48(name, pruning, data_folder):
    X, y = load(data_folder, name)
    model = C45Classifier(**WEKA, pruning=pruning).fit(X, y)
    published = J48[name][pruning]
    assert model.get_n_leaves() == published.leaves
    assert model.tree_.node_count == published.size


def test_the_labor_tree_reads_as_j48_prints_it(data_folder):
    X, y = load(data_folder, "labor")
    assert export_text(C45Classifier(**WEKA).fit(X, y)) == "\n".join(
        [
            "wage-increase-first-year <= 2.5: bad (15.27/2.27)",
            "wage-increase-first-year > 2.5",
            "|   statutory-holidays <= 10: bad (10.77/4.77)",
            "|   statutory-holidays > 10: good (30.96/1)",
        ]
    )


# One draw of the held-out fold matters on glass: its ten runs of "reduced_error" are in
# benchmarks/c45.py, with all other sets.
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The least populated class")
@pytest.mark.parametrize(
    ("name", "pruning"),
    [
        ("labor", "pessimistic"),
        ("labor", None),
        ("labor", "reduced_error"),
        ("glass", "pessimistic"),
        ("glass", None),
        ("contact-lenses", "pessimistic"),
        ("contact-lenses", None),
        ("contact-lenses", "reduced_error"),
    ],
)
def test_cross_validated_accuracy_matches_j48(name, pruning, data_folder):
    X, y = load(data_folder, name)
    published = J48[name][pruning]
    right = 0
    for run in range(2):
        for kept, held in StratifiedKFold(10, shuffle=True, random_state=run).split(X, y):
            model = C45Classifier(**WEKA, pruning=pruning, random_state=run)
            right += (model.fit(X.iloc[kept], y[kept]).predict(X.iloc[held]) == y[held]).sum()
    assert 50 * right / len(y) >= published.accuracy - 2 * published.deviation


def test_the_weather_tree_splits_on_the_outlook_first(data_folder):
    X, y = load(data_folder, "weather.nominal")
    model = C45Classifier().fit(X, y)
    assert export_text(model) == "\n".join(
        [
            "outlook = overcast: yes (4)",
            "outlook = rainy",
            "|   windy = FALSE: yes (3)",
            "|   windy = TRUE: no (2)",
            "outlook = sunny",
            "|   humidity = high: no (3)",
            "|   humidity = normal: yes (2)",
        ]
    )


def obvious_root(X, y, least):
    """Gain ratio among the columns of at least mean gain, by the functions of the book."""
    n, K = len(y), y.max() + 1
    found = {}
    for j in range(X.shape[1]):
        values = np.unique(X[:, j])
        tries = []
        for low, high in pairwise(values):
            left = X[:, j] <= low
            branches = np.array(
                [np.bincount(y[s], minlength=K) for s in (left, ~left)], dtype=float
            )
            if branches.sum(axis=1).min() >= least:
                tries.append((information_gain(branches), (low + high) / 2, branches))
        if tries:
            best = max(tries, key=lambda t: t[0])
            gain = best[0] - np.log2(len(tries)) / n
            if gain > 1e-6:
                ratio = gain / (best[0] / gain_ratio(best[2]))
                found[j] = gain, ratio, best[1]
    mean = np.mean([gain for gain, _, _ in found.values()])
    fit = {j: v for j, v in found.items() if v[0] >= mean - 1e-3}
    j = max(fit, key=lambda j: fit[j][1])
    return j, fit[j][2]


@pytest.mark.parametrize("seed", range(8))
def test_the_root_is_the_obvious_one(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 4)).round(1)
    y = (X[:, seed % 4] + rng.normal(size=60) > 0).astype(int)
    column, middle = obvious_root(X, y, least=max(0.1 * 60 / 2, 2))
    tree = C45Classifier(pruning=None, collapse=False, max_depth=1).fit(X, y).tree_
    assert tree.feature[0] == column
    below = X[X[:, column] <= middle, column].max()
    assert tree.threshold[0] == below  # a value of the data, not the midpoint


def test_a_row_with_a_missing_value_is_shared_among_the_branches():
    X = np.array([["a"], ["a"], ["b"], ["b"], ["b"], ["b"], [None]], dtype=object)
    y = np.array([0, 0, 1, 1, 1, 1, 1])
    model = C45Classifier(pruning=None).fit(X, y)
    # Of the last row 2/6 go to a and 4/6 to b.
    assert_allclose(model.tree_.weight, [7, 2 + 1 / 3, 4 + 2 / 3])
    p_a = np.array([2, 1 / 3]) / (7 / 3)
    assert_allclose(model.predict_proba([["a"]])[0], p_a)
    mixed = p_a * (7 / 3) / 7 + np.array([0, 1]) * (14 / 3) / 7
    assert_allclose(model.predict_proba(np.array([[None]], dtype=object))[0], mixed)
    assert_allclose(model.predict_proba([["never seen"]])[0], mixed)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_level_that_is_listed_has_a_branch_even_without_rows(library):
    levels, names = ["a", "b", "c"], ["a", "a", "b", "b", "b"]
    if library == "pandas":
        frame = pd.DataFrame({"k": pd.Categorical(names, categories=levels)})
        other = pd.DataFrame({"k": ["c"]})
    else:
        frame = pl.DataFrame({"k": names}, schema={"k": pl.Enum(levels)})
        other = pl.DataFrame({"k": ["c"]})
    listed = C45Classifier(pruning=None).fit(frame, [0, 0, 1, 1, 1])
    assert export_text(listed).splitlines()[2] == "k = c: 1 (0)"
    assert_allclose(listed.predict_proba(other), [[0.4, 0.6]])  # as its parent
    names_only = C45Classifier(pruning=None).fit(np.array(names, object)[:, None], [0, 0, 1, 1, 1])
    assert (listed.get_n_leaves(), names_only.get_n_leaves()) == (3, 2)


def test_validation_rows_are_for_reduced_error_only(rng):
    X, y = rng.normal(size=(40, 2)), rng.integers(0, 2, 40)
    with pytest.raises(ParameterError, match="Set pruning='reduced_error'"):
        C45Classifier().fit(X, y, X_val=X, y_val=y)
    for rows in ({"X_val": X}, {"y_val": y}):
        with pytest.raises(DataError, match="must be passed together"):
            C45Classifier(pruning="reduced_error").fit(X, y, **rows)


def test_splits_by_category_are_multiway_or_binary(data_folder):
    X, y = load(data_folder, "contact-lenses")
    assert set(C45Classifier(pruning=None).fit(X, y).tree_.kind) == {0, EACH}
    binary = C45Classifier(pruning=None, binary_splits=True).fit(X, y).tree_
    assert set(binary.kind) == {0, GROUP}
    assert set(binary.n_children) == {0, 2}


def test_an_identifier_column_is_not_chosen(rng):
    """Its gain is greatest; its ratio is not, and it does not count towards the mean."""
    n = 60
    x = rng.integers(0, 3, n)
    X = np.column_stack([[f"name {i}" for i in range(n)], np.array(["p", "q", "r"])[x]])
    y = np.where(rng.random(n) < 0.9, x, (x + 1) % 3)
    tree = C45Classifier().fit(X.astype(object), y).tree_
    assert tree.feature[0] == 1


def test_less_confidence_prunes_more(data_folder):
    X, y = load(data_folder, "soybean")
    sizes = [C45Classifier(confidence=c).fit(X, y).get_n_leaves() for c in (0.5, 0.25, 0.01)]
    assert sizes[0] >= sizes[1] >= sizes[2]


def test_quinlans_estimate_prunes_a_little_less_or_more(data_folder):
    X, y = load(data_folder, "pimaindiansdiabetes")
    weka = C45Classifier(**WEKA).fit(X, y)
    quinlan = C45Classifier(**C45_DEFAULTS["quinlan"]).fit(X, y)
    assert abs(weka.get_n_leaves() - quinlan.get_n_leaves()) <= 10
    assert quinlan.score(X, y) > 0.8


def test_small_values_are_separated_unless_min_gap_is_set():
    X, y = np.arange(20.0)[:, None] * 1e-7, np.repeat([0, 1], 10)
    assert C45Classifier().fit(X, y).get_n_leaves() == 2
    assert C45Classifier(min_gap=1e-5).fit(X, y).get_n_leaves() == 1


def test_reduced_error_uses_x_val(rng):
    X = rng.normal(size=(300, 3))
    y = (X[:, 0] > 0) ^ (rng.random(300) < 0.2)
    full = {"mdl_correction": False, "collapse": False}
    model = C45Classifier(pruning="reduced_error", **full)
    pruned = model.fit(X[:200], y[:200], X_val=X[200:], y_val=y[200:])
    grown = C45Classifier(pruning=None, **full).fit(X[:200], y[:200])
    assert pruned.get_n_leaves() < grown.get_n_leaves()
    assert pruned.score(X[200:], y[200:]) >= grown.score(X[200:], y[200:])


def test_a_weight_is_a_number_of_copies(rng):
    X = rng.normal(size=(80, 3))
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.integers(0, 3, 80)
    copies = rng.integers(0, 4, 80)
    weighted = C45Classifier(confidence=0.5).fit(X, y, sample_weight=copies)
    repeated = C45Classifier(confidence=0.5).fit(X.repeat(copies, axis=0), y.repeat(copies))
    assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X))


def test_any_number_of_threads_grows_the_same_tree(rng):
    X = rng.normal(size=(6000, 5))
    X[rng.random(X.shape) < 0.05] = np.nan
    y = (np.nan_to_num(X).sum(axis=1) > 0).astype(int)
    trees = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        trees.append(C45Classifier().fit(X, y).tree_)
    for tree in trees[1:]:
        for name, array in trees[0].arrays().items():
            assert_array_equal(array, tree.arrays()[name])


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.ones((6, 1)), [0, 0, 0, 1, 1, 1]),  # one value
        (np.full((6, 2), np.nan), [0, 0, 0, 1, 1, 1]),  # nothing known
        (np.arange(6.0)[:, None], [0, 0, 0, 0, 0, 1]),  # a class with one row
        (np.arange(6.0)[:, None], [1] * 6),  # one class
        (np.array([[1.0]]), [1]),  # one row
    ],
)
def test_tables_without_a_useful_split_give_one_leaf(X, y):
    model = C45Classifier().fit(X, y)
    assert model.get_n_leaves() == 1
    assert model.predict_proba(X).sum() == pytest.approx(len(X))


def test_as_many_classes_as_rows_work():
    X, y = np.arange(6.0)[:, None], np.array(list("abcdef"))
    assert C45Classifier().fit(X, y).predict_proba(X).shape == (6, 6)


def test_bad_targets_are_refused():
    X = np.arange(4.0)[:, None]
    with pytest.raises(DataError, match="NaN"):
        C45Classifier().fit(X, [0.0, 1.0, np.nan, 1.0])
    with pytest.raises(DataError, match="inf"):
        C45Classifier().fit(X, [0.0, 1.0, np.inf, 1.0])
    with pytest.raises(ValueError, match="zero"):
        C45Classifier().fit(X, [0, 1, 0, 1], sample_weight=np.zeros(4))
