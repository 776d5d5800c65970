"""An iteration over places."""

import numpy as np

from gramian import HistGradientBoostingClassifier
from tests.scale.methods import ListParts, pieces

rng = np.random.default_rng(0)
X = rng.normal(size=(20_000, 4))
y = np.digitize(X[:, 0] + X[:, 1] ** 2, [0, 1])


def test_only_histograms_and_sums_are_sent(monkeypatch):
    parts, held = ListParts(pieces(X, y)), []
    hold = parts.hold
    monkeypatch.setattr(parts, "hold", lambda *given: held.append(hold(*given)) or held[-1])
    model = HistGradientBoostingClassifier(max_iter=2, early_stopping=False).fit_chunks(parts)
    sent = held[0].sent
    bins = 3 * 8 * 256 * 8  # bytes of a histogram of at most eight columns
    for method, found in sent:
        most = {"begin": bins, "divide": 30 * bins, "sums": 200 * 6 * 8}.get(method, 1000)
        assert all(np.asarray(each).nbytes <= most for each in found if each is not None)
    trees = 2 * 3
    splits = sum(int((tree.kind != 0).sum()) for it in model.predictors_ for tree in it)
    assert sum(method == "divide" for method, _ in sent) < splits  # several leaves at a time
    assert sum(method == "begin" for method, _ in sent) == trees
