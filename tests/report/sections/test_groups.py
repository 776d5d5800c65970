"""Clusters: the choice of their number, a picture, and profiles."""

import pytest

from gramian.report.limits import Limits
from gramian.report.sections.groups import groups
from tests.report.parts import contents_of


@pytest.fixture
def contents():
    return {
        "clusters": {
            "k": 3,
            "sizes": [10, 30, 60],
            "tried": [{"k": 2, "silhouette": 0.4}, {"k": 3, "silhouette": 0.7}],
            "picture": {"x": [0.0, 1.0, 2.0], "y": [0.0, 1.0, 0.5], "group": [0, 2, 2],
                        "variance": [0.5, 0.25]},
            "profiles": [
                {"column": "age", "kind": "numeric", "values": [1.0, 2.0, 3.0], "all": 2.5},
                {"column": "town", "kind": "categorical", "values": ["A", "B", "B"], "all": None},
            ],
        }
    }  # fmt: skip


def test_sizes_are_shares_of_all_rows(contents):
    sizes = groups(contents_of(contents), Limits())["sizes"]
    assert [(s["group"], s["share"], s["width"]) for s in sizes] == [
        (0, "10%", 16.7),
        (1, "30%", 50.0),
        (2, "60%", 100.0),
    ]


def test_the_number_chosen_is_marked_on_the_curve(contents):
    choice = groups(contents_of(contents), Limits())["choice"]
    chart = choice["plane"]
    assert choice["best"] == (chart.x(3), chart.y(0.7))
    assert choice["dots"].count("M") == 2


def test_each_cluster_has_its_dots(contents):
    picture = groups(contents_of(contents), Limits())["picture"]
    assert [(g, dots.count("M")) for g, dots in picture["dots"]] == [(0, 1), (1, 0), (2, 2)]
    assert picture["plane"].x_label == "first principal component (50% of the variance)"
    assert picture["shown"] == 3


def test_profiles_beyond_the_limit_are_counted(contents):
    found = groups(contents_of(contents), Limits(columns=1))
    assert [p["column"] for p in found["profiles"]] == ["age"]
    assert found["profiles"][0]["values"] == ["1", "2", "3"]
    assert found["left_out"] == 1
