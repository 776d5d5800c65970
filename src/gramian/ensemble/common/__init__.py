"""What ensembles have in common: members, input checks, bins, losses of boosting, sums of trees."""
