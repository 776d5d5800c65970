"""Figures of trees: nodes, cells, impurities, pruning."""
