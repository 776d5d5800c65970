"""Fitted models in the format of other systems."""

from gramian.export.conversion import onnx_inputs, to_onnx

__all__ = ["onnx_inputs", "to_onnx"]
