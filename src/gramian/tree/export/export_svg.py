"""Trees as SVG: boxes, labelled lines, class histograms."""

import os
from collections.abc import Sequence
from html import escape
from pathlib import Path

import numpy as np

from gramian.base.kinds import Estimator
from gramian.base.types import Floats
from gramian.plot.canvas import COLOURS
from gramian.plot.trees.tree_layout import tree_layout
from gramian.tree.export.node_labels import NodeLabels, tree_children

_WIDTH, _HEIGHT = 148, 76  # of a box
_ACROSS, _DOWN = 162, 132  # from box to box
_MARGIN, _LEGEND = 24, 40
_BARS = 30  # height of a histogram
_LETTER = 6.6  # width of a letter in the text

_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#222}.say{font-weight:600}.count{fill:#666;"
    "font-size:11px}.edge{fill:#444;font-size:11px}.box{fill:#fff;stroke:#9aa0a6}"
    ".leaf{fill:#f6f8fa;stroke:#5f6368}.line{stroke:#9aa0a6;fill:none}"
)


def export_svg(
    estimator: Estimator,
    path: str | os.PathLike[str] | None = None,
    *,
    feature_names: Sequence[str] | None = None,
    decimals: int = 2,
    title: str | None = None,
) -> str:
    """Draw a fitted tree as SVG.

    Every box shows its test or prediction, the training weight that reached it, and the
    class probabilities (for regression, the mean on the scale of all leaves). Hovering over a
    box shows the exact values. Browsers can open the result.

    Parameters
    ----------
    estimator
        A fitted tree.
    path
        File to write, if given.
    feature_names
        Feature names; if None, those seen in `fit`, or x0, x1, ...
    decimals
        Number of decimals.
    title
        Title above the drawing.

    Returns
    -------
    svg : str

    Examples
    --------
    >>> from gramian.tree import C45Classifier, export_svg
    >>> model = C45Classifier().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"])
    >>> svg = export_svg(model)
    >>> svg.count('class="leaf"'), svg.startswith("<svg")
    (2, True)
    """
    labels = NodeLabels(estimator, feature_names, decimals)
    tree = labels.tree
    places = tree_layout(tree.parent)
    left = _MARGIN + places[:, 0] * _ACROSS
    top = _MARGIN + _LEGEND + places[:, 1] * _DOWN
    width = max(left.max() + _WIDTH + _MARGIN, 360.0)
    height = top.max() + _HEIGHT + _MARGIN
    ink = _colours(tree.max_n_classes)
    size = f'width="{width:.0f}" height="{height:.0f}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" {size}>',
        f"<title>{escape(title or 'decision tree')}</title><style>{_STYLE}</style>",
        f'<rect {size} fill="#fff"/>',
    ]
    parts += _legend(labels, ink, title)
    for node in range(tree.node_count):  # lines first, so that boxes cover them
        for child in tree_children(tree, node):
            parts += _line(labels, left, top, node, child)
    for node in range(tree.node_count):
        parts += _box(labels, ink, float(left[node]), float(top[node]), node)
    svg = "\n".join([*parts, "</svg>"])
    if path is not None:
        Path(path).write_text(svg, encoding="utf-8")
    return svg


def _legend(labels: NodeLabels, ink: list[str], title: str | None) -> list[str]:
    parts, x = [], float(_MARGIN)
    if title is not None:
        parts.append(f'<text class="say" x="{x}" y="22">{escape(title)}</text>')
    for name, colour in zip(labels.classes or [], ink, strict=False):
        parts.append(f'<rect x="{x:.0f}" y="32" width="10" height="10" fill="{colour}"/>')
        parts.append(f'<text x="{x + 14:.0f}" y="41">{escape(str(name))}</text>')
        x += 28 + _LETTER * len(str(name))
    return parts


def _line(labels: NodeLabels, left: Floats, top: Floats, node: int, child: int) -> list[str]:
    x0, y0 = float(left[node]) + _WIDTH / 2, float(top[node]) + _HEIGHT
    x1, y1 = float(left[child]) + _WIDTH / 2, float(top[child])
    bend = (y0 + y1) / 2
    # The label is near the child, where the lines from a node are far apart.
    x, y = x0 + 0.72 * (x1 - x0), y0 + 0.72 * (y1 - y0)
    label = _shortened(labels.edge(child), 15)
    half = _LETTER * len(label) / 2
    curve = f"M{x0:.1f} {y0:.1f}C{x0:.1f} {bend:.1f} {x1:.1f} {bend:.1f} {x1:.1f} {y1:.1f}"
    return [
        f'<path class="line" d="{curve}"/>',
        _rect(x - half, y - 9, 2 * half, 13, 'fill="#fff" fill-opacity="0.85"'),
        _text("edge", x, y + 1, label),
    ]


def _box(labels: NodeLabels, ink: list[str], x: float, y: float, node: int) -> list[str]:
    tree = labels.tree
    leaf = tree.n_children[node] == 0
    prediction = labels.prediction(node)
    prediction_text = (
        labels.number(prediction) if isinstance(prediction, float) else str(prediction)
    )
    text = prediction_text if leaf else labels.test(node)
    count = f"n = {labels.number(float(tree.weight[node]))}"
    middle = x + _WIDTH / 2
    return [
        f"<g><title>{escape(_tooltip(labels, node))}</title>",
        _rect(x, y, _WIDTH, _HEIGHT, f'rx="6" class="{"leaf" if leaf else "box"}"'),
        _text("say", middle, y + 17, _shortened(text, 19)),
        _text("count", middle, y + 32, count),
        *_histogram(labels, ink, x + 10, y + _HEIGHT - 8, node),
        "</g>",
    ]


def _histogram(labels: NodeLabels, ink: list[str], x: float, floor: float, node: int) -> list[str]:
    """Draw bars of the class probabilities, or for regression a mark on the scale of all means."""
    room = _WIDTH - 20
    value = labels.tree.value[node, 0]
    base = f'<path class="line" d="M{x:.1f} {floor:.1f}h{room}"/>'
    if labels.classes is None:
        means = labels.tree.value[:, 0, 0]
        span = float(np.ptp(means)) or 1.0
        at = x + room * (float(value[0]) - float(means.min())) / span
        return [base, f'<circle cx="{at:.1f}" cy="{floor:.1f}" r="4" fill="{ink[0]}"/>']
    step = room / len(value)
    bars = [
        _rect(
            x + (k + 0.1) * step,
            floor - _BARS * p,
            0.8 * step,
            _BARS * p,
            f'fill="{ink[k]}"',
        )
        for k, p in enumerate(value.tolist())
        if p > 0
    ]
    return [base, *bars]


def _tooltip(labels: NodeLabels, node: int) -> str:
    tree = labels.tree
    lines = [f"node {node}: {int(tree.samples[node])} rows, weight {tree.weight[node]:.6g}"]
    if tree.n_children[node]:
        lines.append(f"splits on {labels.test(node)}")
    if labels.classes is None:
        lines.append(f"mean {tree.value[node, 0, 0]:.6g}, impurity {tree.impurity[node]:.6g}")
    else:
        pairs = zip(labels.classes, tree.value[node, 0], strict=True)
        lines += [f"{name}: {p:.2%}" for name, p in pairs if p > 0]
    return "\n".join(lines)


def _rect(x: float, y: float, width: float, height: float, how: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" {how}/>'


def _text(kind: str, x: float, y: float, text: str) -> str:
    place = f'class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="middle"'
    return f"<text {place}>{escape(text)}</text>"


def _shortened(text: str, letters: int) -> str:
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


def _colours(count: int) -> list[str]:
    if count <= len(COLOURS):
        return list(COLOURS)
    return [f"hsl({360 * k / count:.0f} 55% {45 + 15 * (k % 2)}%)" for k in range(count)]
