"""Search structures with traces: heap, sorted line, slabs, BSP tree, k-d tree, Voronoi cells."""

from gramian.textbook.neighbors.bsp import BSPTree
from gramian.textbook.neighbors.choosing_structure import StructureChoice, choose_structure
from gramian.textbook.neighbors.heap import BinaryHeap
from gramian.textbook.neighbors.kdtree import TextbookKDTree
from gramian.textbook.neighbors.quadtree import QuadTree
from gramian.textbook.neighbors.slabs import VoronoiSlabs, voronoi_edges
from gramian.textbook.neighbors.sorted_line import SortedLine
from gramian.textbook.neighbors.voronoi import (
    cell_half_spaces,
    in_voronoi_cell,
    most_voronoi_vertices,
)

__all__ = [
    "BSPTree",
    "BinaryHeap",
    "QuadTree",
    "SortedLine",
    "StructureChoice",
    "TextbookKDTree",
    "VoronoiSlabs",
    "cell_half_spaces",
    "choose_structure",
    "in_voronoi_cell",
    "most_voronoi_vertices",
    "voronoi_edges",
]
