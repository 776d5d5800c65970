"""Formulas in a proportional font, and names of tests that break where their words do."""

from __future__ import annotations

import html
import re

from docutils import nodes
from sphinx.util.docutils import SphinxRole


class Formula(SphinxRole):
    """A formula of Unicode characters: accents lie above their letters, unlike those in code."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return it as a span of its own class."""
        return [nodes.inline(self.rawtext, self.text, classes=["formula-line"])], []


class TestName(SphinxRole):
    """The path of a test, as code that may be broken after a slash, a colon or an underscore."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the code with places to break, which copying leaves out."""
        broken = re.sub(r"(::|/|_)", r"\1<wbr>", html.escape(self.text))
        return [
            nodes.raw(self.rawtext, f'<code class="test-name">{broken}</code>', format="html")
        ], []
