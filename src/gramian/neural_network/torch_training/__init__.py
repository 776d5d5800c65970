"""Training by PyTorch's autograd: one loop for convolutional networks and autoencoders."""
