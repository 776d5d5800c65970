"""Search structures for neighbours: k-d trees, exhaustive and pairwise search, hash tables."""
