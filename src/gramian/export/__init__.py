"""Export of fitted models to formats of other systems."""

from gramian.export.onnx.conversion import onnx_inputs, to_onnx
from gramian.export.onnx.trees import ensemble_to_onnx

__all__ = ["ensemble_to_onnx", "onnx_inputs", "to_onnx"]
