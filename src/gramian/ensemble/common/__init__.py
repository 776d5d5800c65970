"""Code that the ensembles share: members, input checks, bins, boosting losses, sums of trees."""
