"""How the figures of the gallery look."""

import matplotlib.pyplot as plt

from gramian.plot.canvas import COLOURS


def house_colours(_gallery, _example):
    """Draw the curves of examples in the colours of `gramian.plot`; matplotlib is reset before."""
    plt.rcParams["axes.prop_cycle"] = plt.cycler(color=COLOURS)
