"""What the documentation computes about the package."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "docs"), str(ROOT)]

import pages  # noqa: E402


class Theirs:
    def __init__(self, k=3, *, speed="slow", old="deprecated", verbose=0):
        pass

    def fit(self):
        pass

    def partial_fit(self):
        pass


class Ours:
    def __init__(self, k=3, *, speed="fast", start=None):
        pass

    def fit(self):
        pass

    def fit_chunks(self):
        pass


def test_two_classes_are_compared_by_their_signatures():
    assert pages.compare(Ours, Theirs) == [
        "Parameters added: `start`.",
        "Parameters missing: `verbose`.",
        "Other defaults: `speed` is 'fast', there 'slow'.",
        "Methods added: `fit_chunks`.",
        "Methods missing: `partial_fit`.",
    ]


def test_equal_classes_need_one_sentence():
    assert pages.compare(Theirs, Theirs) == ["The same parameters, defaults and methods."]


def test_the_comparison_finds_the_namesake_of_scikit_learn():
    page = pages.comparison_page(["sklearn.cluster.KMeans"], {"save": "gramian.base.files"})
    assert "Instead of `sklearn.cluster.KMeans`." in page
    assert page.endswith("`save`.\n")


def test_the_syllabus_page_counts_and_links():
    page = pages.syllabus_page(
        {
            "groups": {"CL": "Clustering"},
            "items": {
                "CL-01": {
                    "words": "k-means",
                    "status": "served",
                    "where": [
                        "gramian.cluster.KMeans",
                        "docs/examples/plot_x.py",
                        "scipy.stats.norm",
                    ],
                    "tests": [],
                },
                "CL-02": {"words": "starts", "status": "planned"},
            },
        }
    )
    assert "2 items, of which 1 are served and 1 are planned" in page
    assert ":py:obj:`gramian.cluster.KMeans`" in page
    assert ":ref:`sphx_glr_gallery_plot_x.py`" in page
    assert "`scipy.stats.norm`" in page


def test_every_public_name_gets_a_page(tmp_path):
    import gramian
    from gramian import plot
    from gramian.base.catalogue import ESTIMATORS

    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "gramian.gone.rst").touch()
    pages.write(tmp_path)
    written = {file.stem.rpartition(".")[2] for file in (tmp_path / "api").glob("*.rst")}
    offered = [*gramian.neighbors.__all__, *gramian.evaluate.__all__, *plot.__all__]
    assert {*(e.name for e in ESTIMATORS), *offered, "DataError", "index"} <= written
    assert "gone" not in written


@pytest.mark.parametrize("page", ["coming_from_sklearn", "syllabus", "benchmarks", "api/index"])
def test_every_computed_page_is_reached_from_the_front(page):
    assert f"generated/{page}\n" in (ROOT / "docs" / "index.rst").read_text()
