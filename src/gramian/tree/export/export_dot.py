"""Trees in the DOT language of Graphviz."""

from collections.abc import Sequence

from gramian.base.kinds import Estimator
from gramian.tree.export.node_labels import NodeLabels, tree_children


def export_dot(
    estimator: Estimator, *, feature_names: Sequence[str] | None = None, decimals: int = 2
) -> str:
    r"""Return a fitted tree in the DOT language of Graphviz.

    Parameters
    ----------
    estimator
        A fitted tree.
    feature_names
        Feature names; if None, those seen in `fit`, or x0, x1, ...
    decimals
        Number of decimals.

    Returns
    -------
    dot : str

    Examples
    --------
    >>> from gramian.tree import C45Classifier, export_dot
    >>> model = C45Classifier().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"])
    >>> print(export_dot(model))
    digraph tree {
      node [shape=box, style=rounded, fontname="sans-serif"];
      0 [label="x0 <= 1\nn = 4"];
      1 [label="a (2)", style="rounded,filled", fillcolor="#eef3f8"];
      2 [label="b (2)", style="rounded,filled", fillcolor="#eef3f8"];
      0 -> 1 [label="yes"];
      0 -> 2 [label="no"];
    }
    """
    labels = NodeLabels(estimator, feature_names, decimals)
    tree = labels.tree
    lines = ["digraph tree {", '  node [shape=box, style=rounded, fontname="sans-serif"];']
    for node in range(tree.node_count):
        if tree.n_children[node]:
            count = f"n = {labels.number(float(tree.weight[node]))}"
            lines.append(f'  {node} [label={_quoted(labels.test(node))[:-1]}\\n{count}"];')
        else:
            label = _quoted(labels.leaf(node, weights=True))
            lines.append(f'  {node} [label={label}, style="rounded,filled", fillcolor="#eef3f8"];')
    lines += [
        f"  {node} -> {child} [label={_quoted(labels.edge(child))}];"
        for node in range(tree.node_count)
        for child in tree_children(tree, node)
    ]
    return "\n".join([*lines, "}"])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
