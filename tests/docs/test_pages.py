"""What the documentation computes about the package."""

import pkgutil
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import gramian

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "docs"), str(ROOT)]

import course  # noqa: E402
import pages  # noqa: E402
import rst  # noqa: E402


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
        "Different defaults: `speed` is 'fast' instead of 'slow'.",
        "Methods added: `fit_chunks`.",
        "Methods missing: `partial_fit`.",
    ]


def test_equal_classes_need_one_sentence():
    assert pages.compare(Theirs, Theirs) == ["Same parameters, defaults and methods."]


def test_the_comparison_finds_the_namesake_of_scikit_learn():
    page = pages.comparison_page(
        ["sklearn.cluster.KMeans"], {"save": "gramian.base.files.model_file"}
    )
    assert "Instead of `sklearn.cluster.KMeans`." in page
    assert page.endswith("`save`.\n")


def test_the_syllabus_page_counts_links_and_names_tests():
    served = {
        "words": "k-means",
        "status": "served",
        "where": [
            "gramian.cluster.KMeans",
            "gramian.cluster.KMeans.fit",
            "docs/examples/clustering/plot_x.py",
            "scipy.stats.norm",
        ],
        "tests": ["tests/cluster/test_kmeans.py::test_x"],
    }
    planned = {"words": "starts", "status": "planned"}
    syllabus = {"groups": {"CL": "Clustering"}, "items": {"CL-01": served, "CL-02": planned}}
    chapter = {"title": "Clustering", "about": "Groups.", "items": ["CL-01", "CL-02"]}
    chapters = {
        "chapters": [chapter],
        "formulas": {"CL-01": "min Σ ‖x − c‖²"},
        "traps": {"CL-01": "It ends."},
    }
    page = pages.syllabus_page(syllabus, chapters, {"gramian.cluster.KMeans"})
    assert "2 items, 1 implemented and 1 planned" in page
    assert ":formula:`min Σ ‖x − c‖²`" in page
    assert "*Note:* It ends." in page
    assert ":ref:`1. Clustering <chapter-1>`" in page
    assert ":py:obj:`KMeans <gramian.cluster.KMeans>`" in page
    assert ":py:obj:`KMeans.fit <gramian.cluster.KMeans.fit>`" in page
    assert ":ref:`sphx_glr_gallery_clustering_plot_x.py`" in page
    assert "`scipy.stats.norm <" in page
    assert "`tests/cluster/test_kmeans.py::test_x`" in page


def test_every_place_of_the_syllabus_has_a_page_and_every_item_its_tests():
    syllabus = tomllib.loads((ROOT / "docs" / "syllabus.toml").read_text())
    every = {path for group in pages.documented().values() for path in group}
    chapters = tomllib.loads((ROOT / "docs" / "course.toml").read_text())
    page = pages.syllabus_page(syllabus, chapters, every)
    for item in syllabus["items"].values():
        for path in item.get("where", []):
            assert course.link(path, every) in page
        for test in item.get("tests", []):
            assert f"`{test}`" in page


def test_a_place_without_a_page_is_refused():
    for path in ("gramian.KMeans", "gramian.cluster.rows.centred", "gramian.cluster.Absent.fit"):
        with pytest.raises(ValueError, match="has no page of reference"):
            course.link(path, {"gramian.cluster.KMeans"})


def test_methods_of_the_syllabus_are_ours_so_that_their_class_documents_them():
    syllabus = tomllib.loads((ROOT / "docs" / "syllabus.toml").read_text())
    every = {path for group in pages.documented().values() for path in group}
    places = {path for item in syllabus["items"].values() for path in item.get("where", [])}
    for path in places - every:
        owner, _, name = path.rpartition(".")
        if path.startswith("gramian."):
            cls = pages.resolve(owner)
            holder = next(c for c in cls.__mro__ if name in vars(c))
            assert holder.__module__.startswith("gramian."), path
            assert vars(holder)[name].__doc__, path


@pytest.mark.slow
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
    assert {"lasso_path", "best_subsets", "QuadraticProgram", "BinaryHeap"} <= written
    assert "gone" not in written


def test_every_package_that_offers_names_is_in_the_reference():
    packages = {
        f"gramian.{module.name}"
        for module in pkgutil.iter_modules(gramian.__path__)
        if module.ispkg and hasattr(import_module(f"gramian.{module.name}"), "__all__")
    }
    listed = {".".join(path.split(".")[:2]) for path in pages.FAMILIES.values()}
    assert packages == listed


@pytest.mark.parametrize("page", ["coming_from_sklearn", "syllabus", "benchmarks", "api/index"])
def test_every_computed_page_is_reached_from_the_front(page):
    assert f"generated/{page}\n" in (ROOT / "docs" / "index.rst").read_text()


def test_quoted_names_mean_one_page():
    paths = [f"gramian.{p}" for p in ("a.Fit", "a.bound", "a.to_text", "b.Twice", "c.Twice")]
    found = pages.quotable(paths, {"Fit": "gramian.a", "Absent": "gramian.z"})
    assert {found[name] for name in ("Fit", "gramian.Fit", "gramian.a.Fit")} == {"gramian.a.Fit"}
    assert found["gramian.a.bound"] == "gramian.a.bound"
    assert found["to_text"] == "gramian.a.to_text"
    assert not {"bound", "Twice", "gramian.Absent"} & set(found)


def test_signs_in_words_are_escaped_and_those_in_code_are_not():
    line = "the length |w| of ``coef_[0]`` and `n_iter_`, where labels_ is ``labels_``"
    assert rst.escaped(line) == (
        r"the length \|w\| of ``coef_[0]`` and `n_iter_`, where labels\_ is ``labels_``"
    )
