"""What ensembles share: members, input checks, bins, losses of boosting, sums of trees."""
