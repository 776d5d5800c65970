"""docs/course.toml puts every item of the syllabus into one chapter, with its formula."""

import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
COURSE = tomllib.loads((ROOT / "docs" / "course.toml").read_text())
ITEMS = tomllib.loads((ROOT / "docs" / "syllabus.toml").read_text())["items"]


def test_every_item_is_in_one_chapter():
    placed = Counter(key for chapter in COURSE["chapters"] for key in chapter["items"])
    assert set(placed) == set(ITEMS)
    assert [key for key, times in placed.items() if times > 1] == []


def test_every_item_but_the_figures_has_a_formula():
    assert set(COURSE["formulas"]) == {key for key in ITEMS if not key.startswith("PL-")}
    assert [f for f in COURSE["formulas"].values() if f != f.strip() or "`" in f] == []


def test_traps_belong_to_items():
    assert set(COURSE["traps"]) <= set(ITEMS)


def test_a_method_is_not_served_by_a_picture_alone():
    alone = [
        key
        for key, item in ITEMS.items()
        if not key.startswith("PL-")
        and item["status"] == "served"
        and all(path.startswith("docs/examples/") for path in item["where"])
    ]
    assert alone == []


def test_every_chapter_leads_to_a_page_of_the_guide():
    pages = {path.stem for path in (ROOT / "docs" / "guide").glob("*.rst")}
    assert [c["title"] for c in COURSE["chapters"] if c["guide"] not in pages] == []
