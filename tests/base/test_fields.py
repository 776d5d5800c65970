"""The fields are the contract: rules read from annotations, checked, worded and documented."""

import fractions
import inspect
from typing import Annotated, Literal

import numpy as np
import pytest
from sklearn.base import clone

import gramian
from gramian import KNeighborsClassifier, LSHNeighbors, NearestNeighbors, Ridge, RidgeCV
from gramian.base.errors import ParameterError
from gramian.base.fields import (
    KW_ONLY,
    Array,
    Count,
    Fraction,
    Function,
    Jobs,
    NonNegative,
    Positive,
    Seed,
    check_params,
    params,
    rules_of,
)
from gramian.base.kinds import Estimator


@params
class Example(Estimator):
    """An example.

    Parameters
    ----------
    count
        How many.
    mode
        Which way.
    """

    count: Count = 8
    _: KW_ONLY
    mode: Literal["fast", "exact"] | Array | Function = "fast"
    rate: Positive = 0.1
    share: Fraction | None = None
    penalty: NonNegative = 0.0
    verbose: bool = False
    random_state: Seed = None
    n_jobs: Jobs = None


GOOD = [
    ("count", 1),
    ("count", np.int32(4)),
    ("mode", "exact"),
    ("mode", np.ones((2, 2))),
    ("mode", len),
    ("rate", 1),
    ("rate", np.float32(0.5)),
    ("rate", np.inf),
    ("share", 0),
    ("share", 1.0),
    ("share", None),
    ("verbose", np.True_),
    ("random_state", 0),
    ("random_state", 2**64 - 1),
    ("random_state", np.random.RandomState(0)),
    ("random_state", np.random.default_rng(0)),
    ("n_jobs", -1),
    ("n_jobs", -2),
    ("n_jobs", 5),
]
BAD = [
    ("count", 0, "Example: count must be an integer >= 1; got 0."),
    ("count", 2.0, "Example: count must be an integer >= 1; got 2.0."),
    ("count", True, "Example: count must be an integer >= 1; got True."),
    ("count", "2", "Example: count must be an integer >= 1; got '2'."),
    (
        "mode",
        "fats",
        (
            "Example: mode must be one of 'fast', 'exact' or an array or a function; got 'fats'. "
            "Did you mean 'fast'?"
        ),
    ),
    ("rate", 0.0, "Example: rate must be a number > 0; got 0.0."),
    ("rate", float("nan"), "Example: rate must be a number > 0; got nan."),
    ("share", 1.5, "Example: share must be a number in [0, 1] or None; got 1.5."),
    ("penalty", -1e-9, "Example: penalty must be a number >= 0; got -1e-09."),
    ("verbose", 1, "Example: verbose must be True or False; got 1."),
    ("n_jobs", 0, "Example: n_jobs must be an integer of 32 bits other than 0 or None; got 0."),
    (
        "n_jobs",
        2**31,
        "Example: n_jobs must be an integer of 32 bits other than 0 or None; got 2147483648.",
    ),
]


@pytest.mark.parametrize(("name", "value"), GOOD, ids=str)
def test_values_within_their_rule_are_accepted(name, value):
    model = Example(**{name: value})
    check_params(model)
    assert getattr(model, name) is value


@pytest.mark.parametrize(("name", "value", "text"), BAD, ids=str)
def test_values_outside_their_rule_are_named_with_the_rule_and_the_value(name, value, text):
    model = Example(**{name: value})  # the constructor never complains
    with pytest.raises(ParameterError) as error:
        check_params(model)
    assert str(error.value) == text


def test_fields_after_the_star_are_keywords_only():
    assert Example(3).count == 3
    with pytest.raises(TypeError, match="positional"):
        Example(3, "exact")


def test_scikit_learn_sees_the_fields_as_parameters():
    model = Example(3, rate=0.5)
    assert list(model.get_params()) == sorted(rules_of(Example))
    assert clone(model).rate == 0.5
    assert repr(model) == "Example(count=3, rate=0.5)"


def test_the_docstring_gets_rule_and_default_from_the_field():
    assert "count : an integer >= 1, default=8\n" in Example.__doc__
    assert (
        "mode : one of 'fast', 'exact' or an array or a function, default='fast'\n"
        in Example.__doc__
    )


@params
class Child(Example):
    """A child.

    Parameters
    ----------
    extra
        Its own.

        In two paragraphs.
    mode
        Said anew.

    Attributes
    ----------
    b_ : int
        Second.

    Examples
    --------
    >>> 1
    1
    """

    _: KW_ONLY
    mode: Literal["exact"] = "exact"
    extra: Positive = 2.0


@params(first=("extra", "rate"))
class Ordered(Child):
    """Extra comes first.

    Attributes
    ----------
    c_ : int
        Third.
    b_ : float
        Second, said anew.
    """


def test_descriptions_are_inherited_in_the_order_of_the_signature():
    assert Child.__doc__ == (
        "A child.\n\nParameters\n----------\n"
        "count : an integer >= 1, default=8\n    How many.\n"
        "mode : 'exact', default='exact'\n    Said anew.\n"
        "extra : a number > 0, default=2.0\n    Its own.\n\n    In two paragraphs.\n\n"
        "Attributes\n----------\nb_ : int\n    Second.\n\n"
        "Examples\n--------\n>>> 1\n1"
    )
    _, _, attributes = Ordered.__doc__.partition("Attributes\n----------\n")
    assert attributes == "b_ : float\n    Second, said anew.\nc_ : int\n    Third."


def test_fields_are_inherited_and_keywords_can_be_put_first():
    names = list(inspect.signature(Example).parameters)
    assert list(inspect.signature(Child).parameters) == [*names, "extra"]
    rest = [name for name in names if name not in ("count", "rate")]
    assert list(inspect.signature(Ordered).parameters) == ["count", "extra", "rate", *rest]
    assert list(rules_of(Ordered)) == ["count", "extra", "rate", *rest]
    assert (
        Ordered(3, extra=1.0, rate=0.5).get_params() == Child(3, extra=1.0, rate=0.5).get_params()
    )
    assert Ordered.__doc__.index("extra : ") < Ordered.__doc__.index("mode : ")


def test_only_keywords_can_be_put_first():
    with pytest.raises(TypeError, match=r"Wrong: no keyword-only parameters \['count'\]"):

        @params(first=("extra", "count"))
        class Wrong(Child):
            """Wrong."""


def test_an_annotation_without_a_rule_is_an_error_of_the_author():
    with pytest.raises(TypeError, match="no rule for the annotation"):

        @params
        class Wrong(Estimator):
            """Wrong."""

            thing: complex = 0j


def test_a_rule_may_be_written_beside_its_type():
    class Even:
        def accepts(self, value):
            return isinstance(value, int) and value % 2 == 0

        def __str__(self):
            return "an even integer"

    @params
    class Pairs(Estimator):
        """Pairs."""

        size: Annotated[int, Even()] = 2

    with pytest.raises(ParameterError, match="size must be an even integer; got 3"):
        check_params(Pairs(3))


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (KNeighborsClassifier(leaf_size=2**63), "leaf_size"),
        (LSHNeighbors(n_probes=10**30), "n_probes"),
        (Ridge(alpha=10**400), "alpha"),
        (Ridge(alpha=fractions.Fraction(1, 3)), "alpha"),
        (Ridge(alpha=[10**400]), "alpha"),
        (Ridge(alpha=np.longdouble("1e4000")), "alpha"),
        (RidgeCV(alphas=[[1.0], [1.0, 2.0]]), "alphas"),
    ],
)
def test_numbers_that_native_code_cannot_hold_are_refused(model, name):
    with pytest.raises(ParameterError, match=f"^{type(model).__name__}: {name} must be .*; got "):
        model.fit([[0.0], [1.0]], [0.0, 1.0])


def test_the_largest_leaf_is_one_of_all_rows():
    rows = np.arange(40.0)[:, None]
    model = NearestNeighbors(n_neighbors=1, algorithm="kd_tree", leaf_size=2**63 - 1).fit(rows)
    assert model.kneighbors(rows, return_distance=False)[:, 0].tolist() == list(range(40))


def test_a_numpy_string_is_a_string():
    X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    model = gramian.HDBSCAN(min_cluster_size=3, metric=np.str_("euclidean")).fit(X)
    assert model.labels_.max() == 1
    with pytest.raises(ParameterError, match="Did you mean 'euclidean'"):
        gramian.HDBSCAN(metric=np.str_("euclidian")).fit(X)
