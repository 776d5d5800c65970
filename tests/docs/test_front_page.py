"""The figures of the front page are those of the record of measurements."""

import json
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
FRONT = (DOCS / "index.rst").read_text("utf-8")
TREE = "an exact decision tree on 100,000 rows and 20 columns"
KMEANS = "k-means with 100 clusters on 100,000 clustered rows and 32 columns"
SOFTMAX = "softmax regression on 20,000 letters in 26 classes, to the same minimum"
WORKLOADS = {
    TREE: "exact tree, 100k x 20, 2 classes, min_samples_leaf 5",
    KMEANS: "k-means, blobs 100k x 32, k=100, 30 iterations",
    SOFTMAX: "softmax, letters 20k x 16, 26 classes, to 1e-8",
}


def rounded(ratio):
    """Return a ratio as the page prints it, with two digits."""
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.1f}"


def fastest(outcomes):
    """Return the best time of an outcome that counts."""
    return min(min(o["seconds"]) for o in outcomes if o["seconds"] and o["agrees"])


def test_three_figures_are_shown():
    figures = re.findall(r"\* - \*\*([\d.]+) x\*\*\n     - (.+)", FRONT)
    assert [words for _, words in figures] == list(WORKLOADS)


@pytest.mark.parametrize("words", WORKLOADS)
def test_a_figure_is_the_one_on_record(words):
    results = json.loads((DOCS / "benchmarks.json").read_text())["results"]
    (record,) = [r for r in results if r["name"] == WORKLOADS[words]]
    ours = [o for o in record["outcomes"] if o["contender"] == "gramian"]
    others = [o for o in record["outcomes"] if not o["contender"].startswith("gramian")]
    ratio = fastest(others) / fastest(ours)
    assert f"**{rounded(ratio)} x**\n     - {words}" in FRONT


def test_pictures_of_the_report_exist_for_wide_and_narrow_screens():
    pictures = re.findall(r"figure:: (guide/\S+\.png)", FRONT)
    assert len(pictures) == 2
    assert all((DOCS / picture).exists() for picture in pictures)
