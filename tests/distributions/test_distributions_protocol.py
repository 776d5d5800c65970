"""What every distribution is: immutable, equal by value, shown as it is made, stored by pickle."""

import copy
import pickle
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest
from numpy.testing import assert_allclose

import gramian.distributions
from gramian.base.errors import ParameterError
from tests.distributions.cases import FITTED, SCALAR, name

ALL = [case[0] for case in FITTED]


@pytest.mark.parametrize("ours", ALL, ids=name)
def test_it_cannot_be_changed(ours):
    first = fields(ours)[0].name
    with pytest.raises(FrozenInstanceError):
        setattr(ours, first, 1)
    for field in fields(ours):
        value = getattr(ours, field.name)
        if isinstance(value, np.ndarray):
            with pytest.raises(ValueError, match="read-only"):
                value[...] = 0


@pytest.mark.parametrize("ours", ALL, ids=name)
def test_equal_parameters_are_equal_distributions(ours):
    again = type(ours)(*(getattr(ours, f.name) for f in fields(ours)))
    for other in (again, copy.deepcopy(ours), pickle.loads(pickle.dumps(ours))):
        assert ours == other
        assert hash(ours) == hash(other)
    assert ours != 3
    assert ours != gramian.distributions.Uniform(0, 17)
    assert eval(repr(ours), vars(gramian.distributions)) == ours


@pytest.mark.parametrize("ours", ALL, ids=name)
def test_events_of_any_leading_shape(ours):
    x = ours.sample(6, random_state=0)
    flat = ours.log_prob(x)
    assert flat.shape == (6,)
    assert_allclose(ours.log_prob(x.reshape(2, 3, *x.shape[1:])), flat.reshape(2, 3), rtol=1e-12)
    one = ours.log_prob(x[0])
    assert np.ndim(one) == 0
    assert one == pytest.approx(flat[0], rel=1e-12)


@pytest.mark.parametrize("ours", [case[0] for case in SCALAR], ids=name)
def test_impossible_events_have_probability_0_and_nan_gives_nan(ours):
    assert np.isnan(ours.log_prob(np.nan))
    assert np.isnan(ours.cdf(np.nan))
    if ours.discrete:
        assert ours.log_prob([0.5, -1.0, np.inf]).tolist() == [-np.inf] * 3
    assert ours.log_prob([-np.inf, np.inf]).tolist() == [-np.inf] * 2
    assert ours.cdf([-np.inf, np.inf]).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("ours", ALL, ids=name)
def test_invalid_parameters_are_rejected(ours):
    first = fields(ours)[0].name
    values = {f.name: getattr(ours, f.name) for f in fields(ours)}
    for bad in ("a", np.nan, np.inf, None, [[np.nan]], object()):
        with pytest.raises(ParameterError, match=f"{type(ours).__name__}: "):
            type(ours)(**{**values, first: bad})


def test_sample_rejects_a_negative_number():
    with pytest.raises(ParameterError, match="n must be an integer >= 0 or None; got -1"):
        gramian.distributions.Gaussian().sample(-1)


def test_entropy_rejects_invalid_bases():
    for base in (0, 1, -2):
        with pytest.raises(ParameterError, match="base must be"):
            gramian.distributions.Gaussian().entropy(base=base)


def test_text_is_rejected_as_an_event():
    with pytest.raises(ValueError, match="events must be numbers"):
        gramian.distributions.Gaussian().log_prob(["a"])
