"""LeNet-5 (LeCun, Bottou, Bengio and Haffner 1998), in its modern or its original form."""

from typing import Any, Literal

from gramian.base.errors import ParameterError
from gramian.neural_network.convolution.conv_classifier import ConvClassifier
from gramian.neural_network.convolution.images import IsInputShape
from gramian.neural_network.convolution.layers import Conv, Dense, Layer, Pool


def LeNet5(  # noqa: N802 - the name of the network
    input_shape: tuple[int, int, int] = (32, 32, 1),
    *,
    style: Literal["modern", "original"] = "modern",
    **settings: Any,
) -> ConvClassifier:
    """Return a classifier with the layers of LeNet-5.

    Six filters of width 5, a pool of 2, sixteen filters of width 5, a pool of 2, dense layers of
    120 and 84 units, and the output: only the pools have no weights. Of 28 x 28 images the first
    convolution has padding "same", so that the layers after it are those for 32 x 32.

    Parameters
    ----------
    input_shape
        ``(height, width, channels)``, at least 28 x 28.
    style
        "modern": ReLU and maximum; "original": tanh and mean. In the paper the means have a
        trained factor and bias, and not every filter sees every map; here they have none and do.
    **settings
        Parameters of `ConvClassifier`.

    Returns
    -------
    model : ConvClassifier

    Examples
    --------
    >>> from gramian.neural_network import LeNet5, count_parameters
    >>> model = LeNet5(max_iter=20)
    >>> count_parameters(model.layers, model.input_shape)
    60856
    """
    if not IsInputShape().accepts(input_shape) or len(input_shape) != 3:
        raise ParameterError(
            f"LeNet5: input_shape must be (height, width, channels); got {input_shape!r}."
        )
    if min(input_shape[:2]) < 28:
        raise ParameterError(
            f"LeNet5: images must be at least 28 x 28; got {input_shape!r}. Enlarge them, "
            "for example by numpy.kron or scipy.ndimage.zoom."
        )
    if style not in ("modern", "original"):
        raise ParameterError(f"LeNet5: style must be 'modern' or 'original'; got {style!r}.")
    original = style == "original"
    activation: Any = "tanh" if original else "relu"
    kind: Any = "average" if original else "max"
    padding: Any = "same" if min(input_shape[:2]) < 32 else "valid"
    layers: list[Layer] = [
        Conv(6, 5, padding=padding, activation=activation),
        Pool(2, kind),
        Conv(16, 5, activation=activation),
        Pool(2, kind),
        Dense(120, activation),
        Dense(84, activation),
    ]
    return ConvClassifier(layers, input_shape=input_shape, **settings)
