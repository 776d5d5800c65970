"""Small networks of the textbook, written out: gates, one hidden layer, approximators."""
