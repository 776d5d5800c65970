"""What runs beneath the fits: threads, factorisations and calls that Ctrl-C can leave."""
