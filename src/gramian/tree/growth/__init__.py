"""Growth of trees: impurities, splits, directions of oblique splits."""
