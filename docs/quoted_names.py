"""Quoted names lead to the reference: `Ridge`, `gramian.Ridge`, `gramian.evaluate.mcnemar_test`."""

from __future__ import annotations

from docutils import nodes
from sphinx import addnodes
from sphinx.util.docutils import SphinxRole


class QuotedName(SphinxRole):
    """Code; a link where it is the name of something that has a page other than this one."""

    def __init__(self, found: dict[str, str]) -> None:
        super().__init__()
        self.found = found

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the code, inside of a reference."""
        shown = nodes.literal(self.rawtext, self.text, classes=["code"])
        place = self.found.get(self.text)
        if place is None or self.env.docname == f"generated/api/{place}":
            return [shown], []
        link = addnodes.pending_xref(
            self.rawtext,
            shown,
            refdomain="py",
            reftype="obj",
            reftarget=place,
            refexplicit=True,
            refdoc=self.env.docname,
        )
        return [link], []
