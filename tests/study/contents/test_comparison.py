"""The pairwise tests."""

from gramian.study.contents.comparison import Pair


def test_every_pair_of_models_is_there(classes):
    names = [row.name for row in classes.leaderboard]
    pairs = classes.comparison.pairs
    assert len(pairs) == len(names) * (len(names) - 1) / 2
    for pair in pairs:
        assert isinstance(pair, Pair)
        assert {pair.first, pair.second} <= set(names)
        assert abs(pair.better + pair.same + pair.worse - 1) < 1e-9
