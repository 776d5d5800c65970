"""Booleans in words: yes and no, true and false, on and off, in several languages."""

from collections import Counter

_PAIRS = (
    ("true", "false"), ("t", "f"), ("yes", "no"), ("y", "n"), ("on", "off"), ("ja", "nein"),
    ("oui", "non"), ("si", "no"), ("sí", "no"), ("wahr", "falsch"), ("vrai", "faux"),
)  # fmt: skip
_TRUE = frozenset(yes for yes, _ in _PAIRS) | {"1"}
_FALSE = frozenset(no for _, no in _PAIRS) | {"0"}


def boolean_words(counts: Counter[str]) -> tuple[str, str] | None:
    """Return the words for true and for false, or None if the values are not booleans.

    The words are the most frequent spellings of the column.

    Examples
    --------
    >>> boolean_words(Counter({"Yes": 3, "yes": 1, "Y": 2, "no": 1, "NO": 4}))
    ('Yes', 'NO')
    >>> boolean_words(Counter({"yes": 3, "perhaps": 1}))
    """
    lower = {text.strip().lower() for text in counts}
    if not lower <= _TRUE | _FALSE or not any({*pair} <= lower for pair in _PAIRS):
        return None
    return _most_frequent(counts, _TRUE), _most_frequent(counts, _FALSE)


def read_boolean(text: str) -> bool | None:
    """Return the boolean that a word means; None if it is not a boolean.

    Examples
    --------
    >>> read_boolean(" YES"), read_boolean("off"), read_boolean("oak")
    (True, False, None)
    """
    word = text.strip().lower()
    return True if word in _TRUE else False if word in _FALSE else None


def _most_frequent(counts: Counter[str], words: frozenset[str]) -> str:
    some = {t: n for t, n in counts.items() if t.strip().lower() in words and t not in ("0", "1")}
    return max(sorted(some), key=lambda text: (some[text], len(text))).strip()
