"""Fitted models as ONNX: one graph, a converter for each kind of model."""
