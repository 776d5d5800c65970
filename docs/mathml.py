"""Formulas of docstrings as MathML, which browsers draw themselves: no script, no network."""

import re

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml


def drawn(formula: str, *, as_block: bool) -> str:
    r"""Return MathML; \frac12 is a half, as in TeX: docutils reads 12 over what follows."""
    braced = re.sub(r"(\\[dt]?frac)\s*(\d)\s*(\d)", r"\1{\2}{\3}", formula)
    return tex2mathml(braced, as_block=as_block)


def inline(writer, node):
    """Write a formula in a line of text."""
    writer.body.append(drawn(node.astext(), as_block=False))
    raise nodes.SkipNode


def block(writer, node):
    """Write a formula on a line of its own."""
    writer.body.append(f'<div class="formula">{drawn(node.astext(), as_block=True)}</div>')
    raise nodes.SkipNode


def setup(app):
    """Offer the renderer that `html_math_renderer` names."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
