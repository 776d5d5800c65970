"""Shared by the ensembles: members, input checks, bins, boosting losses, sums of trees."""
