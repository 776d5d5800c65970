from sklearn.datasets import load_iris

from gramian.tree import (
    DecisionTreeClassifier,
    plot_tree,
)


def test_a_fitted_tree_is_drawn_with_splits_and_predictions():
    model = DecisionTreeClassifier(max_depth=2).fit(*load_iris(return_X_y=True))
    ax = plot_tree(model, feature_names=["a", "b", "c", "d"], filled=True)
    texts = [text.get_text() for text in ax.texts]
    assert sum(text in ("yes", "no") for text in texts) == model.tree_.node_count - 1
    assert any(text.startswith(("c <=", "d <=")) for text in texts)
    assert len(plot_tree(model, max_depth=0).texts) == 1
