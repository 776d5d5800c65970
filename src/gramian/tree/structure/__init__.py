"""A fitted tree: its nodes as arrays, its cells, and the rows that reach a node."""
