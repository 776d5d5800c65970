"""Trees of clusters: linkages, dendrograms and the textbook algorithms."""
