"""The pages of packages: every public name on one of them."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("sklearn")
sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

import pages
import reference

PATHS = pages.documented()
PACKAGES = reference.by_package(PATHS, pages.FAMILIES)


def test_every_name_is_listed_beside_those_of_its_package_once():
    listed = [path for members in PACKAGES.values() for path in members]
    assert sorted(listed) == sorted(path for group in PATHS.values() for path in group)
    page = reference.family_page("gramian.cluster", PACKAGES["gramian.cluster"], pages.FAMILIES)
    assert page.startswith("Clustering\n==========\n")
    assert ":doc:`KMeans <gramian.cluster.KMeans>`" in page
    assert "   gramian.cluster.KMeans\n" in page  # in the table of contents too


def test_packages_are_in_the_order_of_their_headings_on_the_front_page():
    headings = [reference.heading(package, pages.FAMILIES) for package in PACKAGES]
    assert headings == sorted(headings)
    assert len(set(headings)) == len(headings)
    front = reference.index(PATHS, pages.FAMILIES)
    places = [front.index(f"\n{words}\n{'-' * len(words)}\n") for words in headings]
    assert places == sorted(places)


def test_a_function_of_the_root_can_be_found_by_both_of_its_names():
    page = pages.reference_page("gramian.evaluate.compare", reference.resolve("gramian.compare"))
    assert ".. py:function:: compare()\n   :module: gramian\n   :no-typesetting:" in page
