"""Weights of terms are those of their formula."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from gramian.data.tfidf import learn_terms, weigh_terms, words_of

TEXTS = ["The tall tree", "a TALL oak, the oldest oak", "oak", None, "the tree tree tree"]


def test_words_are_counted_in_lower_case():
    assert words_of("Oak, oak; a x2 Tree!") == {"oak": 2, "x2": 1, "tree": 1}
    assert words_of(None) == {}


def test_terms_of_one_text_are_not_kept():
    terms, rarity = learn_terms(TEXTS, most=10)
    assert terms == ["oak", "tall", "the", "tree"]  # not "oldest"
    np.testing.assert_allclose(rarity, 1 + np.log(6 / np.array([3, 3, 4, 3])))
    assert learn_terms(TEXTS, most=2)[0] == ["oak", "the"]  # most texts, then the alphabet


def test_weights_match_scikit_learn():
    peer = TfidfVectorizer(sublinear_tf=True, min_df=2)
    expected = peer.fit_transform([text or "" for text in TEXTS]).toarray()
    terms, rarity = learn_terms(TEXTS, most=10)
    assert terms == peer.get_feature_names_out().tolist()
    np.testing.assert_allclose(weigh_terms(TEXTS, terms, rarity), expected)


def test_a_text_without_a_known_term_is_zero():
    weights = weigh_terms(["birch", "oak oak"], ["oak"], np.array([2.0]))
    assert weights.tolist() == [[0.0], [pytest.approx(1.0)]]
