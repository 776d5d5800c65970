"""Directed acyclic graphs with named nodes."""

from collections.abc import Iterable, Mapping
from typing import Any

from gramian.base.errors import DataError
from gramian.graphical_model.labels import python_labels


class DirectedGraph:
    """Directed acyclic graph, defined by the parents of its nodes.

    Parameters
    ----------
    parents : dict of names to lists of names
        The parents of each node; every node needs an entry.

    Attributes
    ----------
    nodes : tuple of names
        The nodes in topological order: parents before children, otherwise in the order of
        `parents`.
    parents : dict of names to tuples of names
        The parents of each node, in the order given.

    Examples
    --------
    >>> from gramian.graphical_model import DirectedGraph
    >>> graph = DirectedGraph({"wet": ["rain", "sprinkler"], "sprinkler": ["rain"], "rain": []})
    >>> graph.nodes, graph.children("rain"), sorted(graph.ancestors(["wet"]))
    (('rain', 'sprinkler', 'wet'), ('wet', 'sprinkler'), ['rain', 'sprinkler'])
    """

    def __init__(self, parents: Mapping[str, Iterable[str]]) -> None:
        if not parents:
            raise DataError("DirectedGraph: parents must contain at least one node; got none.")
        for node, node_parents in parents.items():
            if isinstance(node_parents, str):
                raise DataError(
                    f"DirectedGraph: the parents of {node!r} must be a list of names; got the "
                    f"string {node_parents!r}. Write [{node_parents!r}]."
                )
        self.parents: dict[str, tuple[str, ...]] = {
            node: tuple(node_parents) for node, node_parents in parents.items()
        }
        for node, node_parents in self.parents.items():
            unknown = [p for p in node_parents if p not in self.parents]
            if unknown:
                raise DataError(
                    f"DirectedGraph: {node!r} has the parent {unknown[0]!r}, which is not a node; "
                    "add an entry for it."
                )
            if len(set(node_parents)) < len(node_parents):
                raise DataError(f"DirectedGraph: {node!r} has a parent twice; remove one.")
        self.nodes = self._topological_order()

    def constructor_arguments(self) -> dict[str, Any]:
        """Return the parents of each node, which a model file stores."""
        names = {node: python_labels([node])[0] for node in self.parents}
        return {
            "parents": {
                names[v]: [names[p] for p in node_parents]
                for v, node_parents in self.parents.items()
            }
        }

    def _topological_order(self) -> tuple[str, ...]:
        order: dict[str, None] = {}
        while len(order) < len(self.parents):
            ready = [
                node
                for node, node_parents in self.parents.items()
                if node not in order and all(p in order for p in node_parents)
            ]
            if not ready:
                cycle = " -> ".join(map(repr, self._find_cycle(order)))
                raise DataError(
                    f"DirectedGraph: the graph must have no cycle; got {cycle}. Remove one of "
                    "these edges."
                )
            order |= dict.fromkeys(ready)
        return tuple(order)

    def _find_cycle(self, done: Mapping[str, None]) -> list[str]:
        """Return a cycle among the nodes that cannot be ordered, in the order of its edges."""
        node = next(n for n in self.parents if n not in done)
        path: list[str] = []
        while node not in path:
            path.append(node)
            node = next(p for p in self.parents[node] if p not in done)
        return [node, *reversed(path[path.index(node) :])]

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The edges (parent, child)."""
        return tuple((p, node) for node in self.nodes for p in self.parents[node])

    def children(self, node: str) -> tuple[str, ...]:
        """Return the children of a node."""
        return tuple(child for child, node_parents in self.parents.items() if node in node_parents)

    def ancestors(self, nodes: Iterable[str]) -> set[str]:
        """Return all ancestors of these nodes."""
        found: set[str] = set()
        open_nodes = list(nodes)
        while open_nodes:
            new = [p for p in self.parents[open_nodes.pop()] if p not in found]
            found.update(new)
            open_nodes.extend(new)
        return found
