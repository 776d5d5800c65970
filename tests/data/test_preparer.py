"""Columns become a matrix by what the training rows taught, and survive saving."""

import datetime

import numpy as np
import pytest
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

import gramian
from gramian import LogisticRegression, TablePreparer
from gramian.base.errors import DataError

pl = pytest.importorskip("polars")

KINDS = {"tree": "categorical", "height": "numeric", "felled": "date", "note": "text"}
FRAME = pl.DataFrame(
    {
        "note": ["tall dark tree", "dark tree", None, "small tree", "tall oak", "oak"],
        "tree": ["ash", "oak", "ash", None, "elm", "oak"],
        "height": [8.0, None, 10.0, 12.0, 9.0, 30.0],
        "felled": [datetime.date(2026, 11, d) if d != 4 else None for d in range(1, 7)],
        "unused": range(6),
    }
)


def test_numbers_are_imputed_and_scaled_as_scikit_learn_does(rng):
    X = rng.normal(size=(50, 4)) * [1, 10, 100, 0] + 3
    X[rng.random(X.shape) < 0.1] = np.nan
    X[:, 3] = 7.0
    peer = make_pipeline(SimpleImputer(strategy="median", add_indicator=False), StandardScaler())
    found = TablePreparer().fit_transform(X)
    np.testing.assert_allclose(found[:, :4], peer.fit_transform(X), atol=1e-12)
    np.testing.assert_array_equal(found[:, 4:], np.isnan(X[:, :3]).astype(float))


@pytest.mark.parametrize("size", [1e-300, 1.0, 1e300])
def test_numbers_of_any_size_are_scaled(rng, size):
    X = rng.normal(size=(50, 2))
    np.testing.assert_allclose(
        TablePreparer().fit_transform(size * X), TablePreparer().fit_transform(X), rtol=1e-10
    )


def test_each_kind_has_its_columns():
    preparer = TablePreparer(KINDS, scale=False).fit(FRAME)
    names = preparer.get_feature_names_out().tolist()
    assert names == [
        "tree=ash", "tree=elm", "tree=oak", "tree missing", "height",
        "felled days", "felled month", "felled weekday", "felled hour",
        "height missing", "felled days missing", "felled month missing", "felled weekday missing",
        "felled hour missing", "note: dark", "note: oak", "note: tall", "note: tree",
    ]  # fmt: skip
    row = dict(zip(names, preparer.transform(FRAME)[1], strict=True))
    assert row["tree=oak"] == 1
    assert row["tree=ash"] == 0
    assert row["height"] == 10.0  # the median of the others
    assert row["height missing"] == 1
    assert row["felled month"] == 11
    assert row["felled weekday"] == 0  # 2 November 2026 is a Monday
    assert row["note: dark"] > row["note: tree"] > 0  # the rarer word weighs more
    assert len(preparer.get_sources()) == len(names)
    assert set(preparer.get_sources()) == set(KINDS)


def test_term_weights_are_tf_idf():
    texts = pl.DataFrame({"note": ["a tree tree", "tree and oak", "oak oak oak birch", "birch"]})
    preparer = TablePreparer({"note": "text"}).fit(texts)
    assert preparer.terms_["note"] == ["birch", "oak", "tree"]
    rarity = 1 + np.log(5 / 3)
    expected = np.array([rarity, (1 + np.log(3)) * rarity, 0])
    expected /= np.linalg.norm(expected)
    np.testing.assert_allclose(preparer.transform(texts)[2], expected)


def test_codes_come_first_and_missing_values_stay():
    preparer = TablePreparer(
        {"height": "numeric", "tree": "categorical"},
        categories="codes",
        missing="keep",
        scale=False,
    )
    found = preparer.fit_transform(FRAME)
    np.testing.assert_array_equal(found[:, 0], [0, 2, 0, np.nan, 1, 2])
    np.testing.assert_array_equal(found[:, 1], [8, np.nan, 10, 12, 9, 30])


def test_rare_and_unseen_levels_share_a_column():
    frame = pl.DataFrame({"c": list("aaabbbcd")})
    preparer = TablePreparer({"c": "categorical"}, max_levels=2).fit(frame)
    assert preparer.get_feature_names_out().tolist() == ["c=a", "c=b", "c other"]
    new = pl.DataFrame({"c": ["a", "d", "z", None]})
    np.testing.assert_array_equal(
        preparer.transform(new), [[1, 0, 0], [0, 0, 1], [0, 0, 1], [0, 0, 0]]
    )


def test_an_unseen_level_is_no_level_where_none_is_rare():
    preparer = TablePreparer({"c": "categorical"}).fit(pl.DataFrame({"c": list("aabb")}))
    np.testing.assert_array_equal(preparer.transform(pl.DataFrame({"c": ["z"]})), [[0, 0]])


def test_order_and_company_of_columns_do_not_matter():
    preparer = TablePreparer(KINDS).fit(FRAME)
    other = FRAME.select(reversed(FRAME.columns)).with_columns(pl.lit(1).alias("more"))
    np.testing.assert_array_equal(preparer.transform(FRAME), preparer.transform(other))


def test_a_label_is_the_same_in_every_type():
    preparer = TablePreparer({"c": "categorical"}).fit(pl.DataFrame({"c": [1, 2, 2, 1]}))
    for values in ([1.0, 2.0], ["1", "2"], [1, 2]):
        np.testing.assert_array_equal(preparer.transform(pl.DataFrame({"c": values})), np.eye(2))


def test_a_number_that_cannot_be_read_is_missing():
    preparer = TablePreparer({"x": "numeric"}, scale=False).fit(
        pl.DataFrame({"x": [1.0, 2.0, 3.0]})
    )
    found = preparer.transform(pl.DataFrame({"x": ["1.5", "much", None]}))
    np.testing.assert_array_equal(found, [[1.5], [2.0], [2.0]])


def test_pandas_and_polars_give_the_same_matrix():
    pytest.importorskip("pandas")
    preparer = TablePreparer(KINDS).fit(FRAME)
    np.testing.assert_array_equal(preparer.transform(FRAME), preparer.transform(FRAME.to_pandas()))
    again = TablePreparer(KINDS).fit(FRAME.to_pandas())
    np.testing.assert_array_equal(preparer.transform(FRAME), again.transform(FRAME))


def test_a_missing_column_is_named():
    preparer = TablePreparer(KINDS).fit(FRAME)
    with pytest.raises(DataError, match="1 of 4 columns is missing: 'height'"):
        preparer.transform(FRAME.drop("height"))
    with pytest.raises(DataError, match="must be a frame"):
        preparer.transform(np.zeros((2, 4)))


def test_an_unknown_kind_is_refused():
    with pytest.raises(DataError, match="got 'identifier' for column 'tree'"):
        TablePreparer({"tree": "identifier"}).fit(FRAME)


def test_saving_keeps_everything(tmp_path):
    y = ["yes", "no", "yes", "no", "yes", "no"]
    model = Pipeline([("prepare", TablePreparer(KINDS)), ("model", LogisticRegression())])
    model.fit(FRAME, y)
    copy = gramian.load(gramian.save(model, tmp_path / "model.gram"))
    np.testing.assert_array_equal(copy.predict_proba(FRAME), model.predict_proba(FRAME))


def test_ten_thousand_columns(rng):
    frame = pl.DataFrame(rng.normal(size=(30, 10_000)))
    preparer = TablePreparer(dict.fromkeys(frame.columns, "numeric"))
    assert preparer.fit_transform(frame).shape == (30, 10_000)


def test_columns_named_by_numbers(rng):
    pd = pytest.importorskip("pandas")
    X = rng.normal(size=(20, 3))
    frame = pd.DataFrame(X)
    model = TablePreparer().fit(frame)
    assert model.get_feature_names_out().tolist() == ["0", "1", "2"]
    np.testing.assert_array_equal(model.transform(frame), TablePreparer().fit_transform(X))
    chosen = TablePreparer({"2": "numeric", "0": "numeric"}, scale=False).fit_transform(frame)
    np.testing.assert_array_equal(chosen, X[:, [2, 0]])
    assert list(frame.columns) == [0, 1, 2]


@pytest.mark.parametrize("columns", [[1, "1", 2], [1, 1, 2], ["1", "1", "2"]])
@pytest.mark.parametrize("kinds", [None, {"2": "numeric"}])
def test_columns_of_one_name_are_refused(rng, columns, kinds):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(rng.normal(size=(20, 3)), columns=columns)
    with pytest.raises(DataError, match=r"TablePreparer: .* got 2 named '1'\. Rename them"):
        TablePreparer(kinds).fit(frame)
    with pytest.raises(DataError, match=r"infer_kinds: .* got 2 named '1'\. Rename them"):
        gramian.data.infer_kinds(frame)


def test_strings_are_read_in_the_formats_of_fit():
    frame = pl.DataFrame({"price": ["$1,200", "$35.50", "-", "$7"], "day": ["31/01/2023"] * 4})
    kinds = {"price": "numeric", "day": "date"}
    preparer = TablePreparer(kinds, scale=False, missing="keep").fit(frame)
    assert preparer.formats_["day"] == {"kind": "date", "first": "day"}
    new = pl.DataFrame({"price": ["$1,000", "cheap"], "day": ["01/02/2023", "1/2023/13"]})
    found = preparer.transform(new)
    np.testing.assert_array_equal(found[:, 0], [1000, np.nan])
    np.testing.assert_array_equal(found[:, 2], [2, np.nan])  # the month
    assert preparer.read(new).notes[0] == (
        "1 value of 'price' is not a number and is treated as missing: 'cheap'"
    )


def test_formats_can_be_given_and_are_saved(tmp_path):
    frame = pl.DataFrame({"x": ["1,5", "2,5", "3,5"]})
    formats = {"x": {"kind": "number", "decimal": ",", "unit": ""}}
    preparer = TablePreparer({"x": "numeric"}, scale=False, formats=formats).fit(frame)
    copy = gramian.load(gramian.save(preparer, tmp_path / "p.gram"))
    np.testing.assert_array_equal(copy.transform(frame), [[1.5], [2.5], [3.5]])
    assert copy.formats_ == formats
