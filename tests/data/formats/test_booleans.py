"""Booleans in words."""

from collections import Counter

from gramian.data.formats.booleans import boolean_words, read_boolean


def test_the_most_frequent_spelling_is_the_word():
    assert boolean_words(Counter(["Yes", "yes", "Yes", "NO", "1", "0"])) == ("Yes", "NO")


def test_a_pair_of_words_is_needed():
    assert boolean_words(Counter(["yes", "off"])) is None  # of two pairs
    assert boolean_words(Counter(["1", "0"])) is None  # numbers
    assert boolean_words(Counter(["m", "f"])) is None
    assert boolean_words(Counter(["t", "f"])) == ("t", "f")


def test_words_are_read():
    assert [read_boolean(t) for t in ("Ja", "nein", "1", "0", "oak")] == [
        True, False, True, False, None,
    ]  # fmt: skip
