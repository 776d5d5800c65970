"""What linear models share: linear scores and predictions, checks of classes."""
