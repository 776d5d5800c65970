"""How trees grow: impurities, splits, directions of oblique splits."""
