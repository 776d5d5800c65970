"""fit, predict and score over chunks of this process."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone

from gramian import SVC, GaussianMixture, KMeans, LinearRegression, LogisticRegression
from gramian.base.errors import DataError, ParameterError
from gramian.base.rows.chunks import Chunks
from gramian.scale import chunks, fit, predict, score
from tests.scale.methods import ListParts

rng = np.random.default_rng(0)
X = rng.normal(size=(200, 3))
y = X @ [1.0, 2.0, 0.0] + rng.normal(size=200)
weights = rng.random(200)


def pieces(target, **settings):
    return chunks(X, target, rows=70, **settings)


def test_scores_match_the_whole_table():
    model = fit(LinearRegression(), pieces(y, weight=weights))
    assert score(model, pieces(y, weight=weights)) == pytest.approx(model.score(X, y, weights))
    both = np.column_stack([y, -y + rng.normal(size=200)])
    model = fit(LinearRegression(), pieces(both))
    assert score(model, pieces(both)) == pytest.approx(model.score(X, both))
    model = fit(LogisticRegression(), pieces(y > 0))
    assert score(model, pieces(y > 0)) == model.score(X, y > 0)
    density = fit(GaussianMixture(2, random_state=0), pieces(None))
    assert score(density, pieces(None)) == pytest.approx(density.score(X))
    with pytest.raises(ParameterError, match="no score that is a mean over rows"):
        score(fit(KMeans(2, random_state=0), pieces(None)), pieces(None))


def test_predictions_come_chunk_by_chunk():
    model = fit(LinearRegression(), pieces(y))
    found = list(predict(model, pieces(y)))
    assert [len(part) for part in found] == [70, 70, 60]
    np.testing.assert_allclose(np.concatenate(found), model.predict(X))


def test_what_cannot_be_fitted_or_read_is_refused():
    with pytest.raises(ParameterError, match="SVC cannot be trained in chunks"):
        fit(SVC(), pieces(y > 0))
    with pytest.raises(DataError, match=r"Use the estimator's own fit"):
        fit(LinearRegression(), X, y)
    with pytest.raises(ParameterError, match="chunks have their own targets"):
        fit(LinearRegression(), pieces(y), y)
    with pytest.raises(ParameterError, match=r"got the class. Pass LinearRegression\(\)"):
        fit(LinearRegression, pieces(y))
    with pytest.raises(ParameterError, match=r"client must be a distributed\.Client; got 'tcp"):
        fit(LinearRegression(), pieces(y), client="tcp://somewhere:8786")
    model = fit(LinearRegression(), pieces(y))
    with pytest.raises(DataError, match="Use the model's own predict"):
        predict(model, X)
    with pytest.raises(ParameterError, match="LinearRegression has no predict_proba"):
        predict(model, pieces(y), method="predict_proba")
    with pytest.raises(DataError, match=r"scale\.score: the target is missing"):
        score(model, pieces(None))


@pytest.mark.parametrize(
    "model", [LinearRegression(), KMeans(3, random_state=0), GaussianMixture(2, random_state=0)]
)
def test_what_is_sent_of_a_fitted_model_is_its_arrays(model):
    fitted = clone(model).fit(X, y)
    arrays = sum(v.nbytes for v in vars(fitted).values() if isinstance(v, np.ndarray))
    assert len(pickle.dumps(fitted)) < arrays + 4000
    bare = Chunks.of(fitted, ListParts([(X, y, None)])).estimator
    assert not hasattr(bare, "coef_")
    assert len(pickle.dumps(bare)) < 2000


def test_a_one_shot_generator_is_refused_before_the_first_pass():
    def once():
        raise AssertionError("read")
        yield

    with pytest.raises(DataError, match="can be read only once"):
        LinearRegression().fit_chunks(once())
