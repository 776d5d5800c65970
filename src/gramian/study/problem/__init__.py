"""The problem of a study: columns, target, checks, splits, metrics and costs."""
