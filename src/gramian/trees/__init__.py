"""Decision trees: one engine for every split."""

from gramian.trees.tree import Tree

__all__ = ["Tree"]
