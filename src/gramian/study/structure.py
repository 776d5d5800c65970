"""A tree as indented lines, its first levels."""

from typing import Any

import numpy as np

_DEPTH = 5
_LINES = 80
_LEAF, _NUMBER, _GROUP, _EACH = range(4)  # kinds of nodes


def tree_as_text(pipeline: Any, classes: list[str]) -> str | None:
    """Return the tree of a pipeline's model as text, or None if its model is not one tree.

    Each line is a question with what is said and how many rows there are; deeper levels are left
    out.
    """
    preparer, model = pipeline[0], pipeline[-1]
    tree = getattr(model, "tree_", None)
    if tree is None or not hasattr(tree, "first_child"):
        return None
    names = preparer.get_feature_names_out().tolist()
    lines: list[str] = []

    def grow(node: int, depth: int) -> None:
        if len(lines) >= _LINES:
            return
        margin = "  " * depth
        if tree.kind[node] == _LEAF or depth == _DEPTH:
            more = "" if tree.kind[node] == _LEAF else " ..."
            lines.append(f"{margin}{_answer(tree, node, classes)}{more}")
            return
        for number in range(int(tree.n_children[node])):
            lines.append(f"{margin}{_question(tree, node, number, names, preparer)}")
            grow(int(tree.first_child[node]) + number, depth + 1)

    grow(0, 0)
    return "\n".join(lines)


def _question(tree: Any, node: int, child: int, names: list[str], preparer: Any) -> str:
    name = names[int(tree.feature[node])]
    kind = tree.kind[node]
    if kind == _NUMBER:
        return f"{name} {'<=' if child == 0 else '>'} {tree.threshold[node]:.4g}"
    levels = [*preparer.levels_.get(name, []), "other"]
    if kind == _EACH:
        return f"{name} = {levels[min(child, len(levels) - 1)]}"
    inside = np.flatnonzero(tree.category_set(node) == (child == 0))
    shown = [levels[min(int(code), len(levels) - 1)] for code in inside]
    return f"{name} in {{{', '.join(shown[:8])}{', ...' if len(shown) > 8 else ''}}}"


def _answer(tree: Any, node: int, classes: list[str]) -> str:
    value, rows = tree.value[node, 0], int(tree.samples[node])
    if not classes:
        return f"{value[0]:.4g} ({rows} rows)"
    best = int(value.argmax())
    return f"{classes[best]}, {100 * value[best] / value.sum():.0f} % of {rows} rows"
