"""ROC, calibration, learning and error curves, and the counts behind them."""
