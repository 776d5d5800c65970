"""The rules of a fitted tree, node by node."""

import numpy as np

from gramian.base.models import Model
from gramian.study.contents.explanation import TreeNode, TreeRules
from gramian.study.search.trial import FittedPipeline
from gramian.tree.structure.tree import EACH, GROUP, Tree

_DEPTH = 7
_NODES = 150
_LEVELS = 4  # maximum number of levels of a category in a rule


def tree_rules(pipeline: FittedPipeline, classes: list[str]) -> TreeRules | None:
    """Return the rules of the tree at the end of a pipeline; None if there is no tree.

    Oblique trees are not supported and give None.
    """
    tree = getattr(pipeline[-1], "tree_", None)
    oblique = hasattr(pipeline[-1], "directions_")
    if not isinstance(tree, Tree) or tree.n_outputs != 1 or oblique:
        return None
    labels = [classes[k] for k in _class_indices(pipeline[-1], classes)] if classes else []
    preparer = pipeline[0]
    names = preparer.get_feature_names_out().tolist()
    levels = preparer.levels_ if preparer.categories == "codes" else {}
    shown = _first_nodes(tree)

    def node(i: int, rule: str | None) -> TreeNode:
        first, count = int(tree.first_child[i]), int(tree.n_children[i])
        below = range(first, first + count)
        whole = all(k in shown for k in below)
        value = tree.value[i, 0]
        best = int(value.argmax())
        children = (node(k, _rule(tree, i, k - first, names, levels)) for k in below)
        return TreeNode(
            rule=rule,
            rows=int(tree.samples[i]),
            says=labels[best] if labels else float(value[0]),
            share=float(value[best]) if labels else None,
            children=tuple(children) if whole else (),
            hidden=0 if whole else _leaves(tree, i),
        )

    return TreeRules(root=node(0, None), leaves=tree.n_leaves, depth=tree.max_depth)


def _class_indices(model: Model, classes: list[str]) -> list[int]:
    """Return the index of each class of the model among all classes."""
    return [classes.index(str(label)) for label in model.classes_.tolist()]


def _first_nodes(tree: Tree) -> set[int]:
    """Return the nodes nearest to the root, level by level."""
    order = np.argsort(tree.depth, kind="stable")
    return set(order[tree.depth[order] <= _DEPTH][:_NODES].tolist())


def _leaves(tree: Tree, top: int) -> int:
    count, waiting = 0, [top]
    while waiting:
        i = waiting.pop()
        first = int(tree.first_child[i])
        below = range(first, first + int(tree.n_children[i]))
        count += not below
        waiting.extend(below)
    return count


def _rule(tree: Tree, i: int, child: int, names: list[str], levels: dict[str, list[str]]) -> str:
    """Return the rule that leads from a node to one of its children."""
    name = names[tree.feature[i]]
    known = [*levels.get(name, []), "others"]
    if tree.kind[i] == EACH:
        text = f"{name} is {known[min(child, len(known) - 1)]}"
    elif tree.kind[i] == GROUP:
        inside = np.flatnonzero(tree.category_set(i) == (child == 0)).tolist()
        called = [known[min(k, len(known) - 1)] for k in inside]
        if not called:
            return f"{name} is missing"
        more = f" or {len(called) - _LEVELS} more" if len(called) > _LEVELS else ""
        text = f"{name} is {' or '.join(called[:_LEVELS])}{more}"
    else:
        text = f"{name} {'≤' if child == 0 else '>'} {tree.threshold[i]:.4g}"
    return f"{text}, or missing" if _saw_missing(tree, i, child) else text


def _saw_missing(tree: Tree, i: int, child: int) -> bool:
    """Return whether missing values were seen in training and go to this child of a node."""
    first = int(tree.first_child[i])
    below = tree.weight[first : first + int(tree.n_children[i])]
    return int(tree.missing[i]) == child and bool(below[child] < below.max())
