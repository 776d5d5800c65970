"""Structures that find neighbours: k-d trees, sorted lines, slabs, partitions, hash tables."""
