"""Neural networks: multi-layer perceptrons, convolutional networks, autoencoders."""

__all__: list[str] = []
