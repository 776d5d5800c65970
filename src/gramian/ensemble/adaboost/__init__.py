"""AdaBoost and decision stumps."""
