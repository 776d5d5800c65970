"""What the page holds, without a browser."""

import copy
import json
import re
from html.parser import HTMLParser

import pytest

from gramian.report.limits import MOST_BYTES
from gramian.report.page import _json
from tests.report.samples import NASTY, render, widened, with_models

SUPERVISED = [
    "verdict", "card", "data", "leaderboard", "comparison", "models", "learning", "explanation",
    "errors", "checks", "use",
]  # fmt: skip


class Reader(HTMLParser):
    """Collects what the tests ask for; VOID elements have no end tag."""

    VOID = ("meta", "link", "input", "br", "wbr")

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)

    def sections(self):
        return [a["id"] for tag, a in self.tags if tag == "section"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wine", "tumours", "diabetes", "customers"])
def test_a_study_with_a_target_has_every_section_in_order(name, request):
    reader = Reader(render(request.getfixturevalue(name)))
    assert reader.sections() == SUPERVISED
    assert reader.open == []


def test_a_study_without_a_target_has_the_sections_that_fit(flowers):
    reader = Reader(render(flowers))
    assert reader.sections() == ["verdict", "card", "data", "groups", "checks", "use"]


@pytest.mark.parametrize("name", ["wine", "tumours", "diabetes", "flowers"])
def test_nothing_on_the_page_points_outside_it(name, request):
    page = render(request.getfixturevalue(name))
    reader = Reader(page)
    for tag, attributes in reader.tags:
        for attribute in ("src", "srcset", "action", "data", "poster"):
            assert attribute not in attributes, tag
        href = attributes.get("href")
        assert href is None or href.startswith("#") or href == "data:,"
    assert not re.search(r"https?://|url\(|@import", page)


@pytest.mark.slow
def test_identifiers_are_unique_and_what_refers_to_one_finds_it(pages, wine, tumours, diabetes):
    for contents in (wine, tumours, diabetes):
        tags = Reader(render(contents)).tags
        names = [a["id"] for _, a in tags if "id" in a]
        assert len(names) == len(set(names))
        for _, attributes in tags:
            for key in ("for", "aria-labelledby", "data-csv", "data-copy", "data-show"):
                assert attributes.get(key, names[0]) in names
            if str(attributes.get("href")).startswith("#"):
                assert attributes["href"][1:] in names


def test_texts_of_the_table_are_shown_and_never_run(nasty):
    page = render(nasty)
    reader = Reader(page)
    assert any(NASTY in text for text in reader.texts)
    assert "</script><b>" not in page
    assert "49" not in page.partition("<h1>")[2].partition("</h1>")[0]  # no template in a template
    assert sum(tag == "script" for tag, _ in reader.tags) == 2
    assert not any(key.startswith("on") for _, a in reader.tags for key in a)


def test_the_policy_allows_the_style_and_the_script_by_digest_only(wine):
    reader = Reader(render(wine))
    policy = next(a["content"] for _, a in reader.tags if "http-equiv" in a)
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert policy.count("sha256-") == 2
    assert not any("style" in a for _, a in reader.tags)  # it would be refused


def test_json_cannot_end_its_script():
    assert json.loads(_json({"a": NASTY})) == {"a": NASTY}
    assert not set("<>&") & set(_json({"a": NASTY}))


def test_a_wide_table_and_many_models_stay_small_and_say_what_is_left_out(wine):
    page = render(with_models(widened(wine, 10_000), 24))
    assert len(page.encode()) < MOST_BYTES
    assert "9,800 more columns are not shown here but were used" in page
    assert "2 more models have lower scores" in page


def test_a_page_too_large_is_made_with_less(wine, monkeypatch):
    whole = len(render(wine).encode())
    monkeypatch.setattr("gramian.report.page.MOST_BYTES", whole - 1)
    assert len(render(wine).encode()) < whole


def test_many_classes_are_joined_in_the_confusion_table(wine):
    contents = {**wine, "target": {"classes": [{"label": f"k{i}", "rows": 5} for i in range(40)]}}
    table = [[5 * (i == k) for k in range(40)] for i in range(40)]
    contents["models"] = {
        name: {**found, "confusion": table} for name, found in wine["models"].items()
    }
    contents["test"] = {**wine["test"], "confusion": table}
    assert "25 others" in render(contents)


def test_rejected_rows_have_a_column(wine):
    counts = {"confusion": wine["test"]["confusion"], "rejected": [3, 0, 77]}
    contents = {**wine, "costs": {"table": None, "reject": 0.1}, "test": {**wine["test"], **counts}}
    page = render(contents)
    assert page.count(">rejected</th>") == 1
    assert '<td class="number">77</td>' in page
    assert "minimise the expected cost" in page
    assert ">rejected</th>" not in render(wine)


def test_numbers_of_the_contents_stand_on_the_page(wine, diabetes):
    for contents in (wine, diabetes):
        text = " ".join(Reader(render(contents)).texts).replace("\u00a0", " ")
        for sentence in contents["verdict"]:
            assert sentence in text
        for row in contents["leaderboard"]:
            assert row["name"] in text.replace(" ", "") or row["name"] in text
        assert contents["run"]["data"]["sha256"] in text
        assert contents["load"]["command"] in text


def test_the_model_is_shown_by_what_it_is(wine, customers):
    linear, tree = Reader(render(wine)), Reader(render(customers))
    assert any(a.get("id") == "coefficients" for _, a in linear.tags)
    assert not any(a.get("id") == "coefficients" for _, a in tree.tags)
    branches = sum(tag == "details" for tag, _ in tree.tags)
    assert branches == customers["structure"]["leaves"] - 1  # a binary tree has one inner node less


def test_only_one_model_is_called_the_best_by_each_metric(wine):
    contents = copy.deepcopy(wine)
    for row in contents["leaderboard"]:
        for found in row["metrics"].values():
            found["p_best"] = 1.0  # as an adjusted p-value often is
    assert render(contents).count(">best</td>") == len(contents["metrics"])


def test_headings_of_every_table_have_a_scope(wine):
    tags = Reader(render(wine)).tags
    assert all(a.get("scope") in ("col", "row", "colgroup") for tag, a in tags if tag == "th")
    assert all("aria-label" in a or a.get("aria-hidden") == "true" for t, a in tags if t == "svg")
