"""Code shared by the distributions."""
