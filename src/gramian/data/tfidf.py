r"""Texts as vectors of weighted terms (tf-idf).

With n texts, f(t, d) the count of term t in text d and n_t the number of texts that
contain t, the weight of t in d is

    (1 + log f(t, d)) (1 + log((1 + n) / (1 + n_t)))

and each text is scaled to length 1. Terms are kept if they occur in at least two texts; of these,
the most frequent.
Reference: Manning, Raghavan and Schuetze, Introduction to Information Retrieval, 2008, section 6.2.
"""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from gramian.base.types import Floats

_WORD = re.compile(r"\w\w+")


def words_of(text: str | None) -> Counter[str]:
    """Count the words of a text, of two letters or more, in lower case."""
    return Counter(_WORD.findall(text.lower())) if text else Counter()


def learn_terms(texts: Sequence[str | None], most: int) -> tuple[list[str], Floats]:
    """Return the terms kept, in alphabetical order, and their inverse document frequencies."""
    held: Counter[str] = Counter()
    for text in texts:
        held.update(words_of(text).keys())
    common = sorted(held.items(), key=lambda item: (-item[1], item[0]))
    terms = sorted(term for term, count in common[:most] if count >= 2)
    rarity = [1 + np.log((1 + len(texts)) / (1 + held[term])) for term in terms]
    return terms, np.array(rarity, dtype=np.float64)


def weigh_terms(texts: Sequence[str | None], terms: Sequence[str], rarity: Floats) -> Floats:
    """Return one row for each text and one column for each term."""
    place = {term: i for i, term in enumerate(terms)}
    weights = np.zeros((len(texts), len(terms)))
    for row, text in enumerate(texts):
        for word, count in words_of(text).items():
            if (at := place.get(word)) is not None:
                weights[row, at] = 1 + np.log(count)
    weights *= rarity
    length = np.linalg.norm(weights, axis=1, keepdims=True)
    return weights / np.where(length > 0, length, 1.0)
