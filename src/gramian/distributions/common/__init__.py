"""What the rooms of the distributions share."""
