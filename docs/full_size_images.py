"""Figures of the gallery as links to themselves: on a phone a tap shows them in full size."""

import re

from sphinx_gallery.directives import imgsgnode, visit_imgsg_html


def visit(writer, node):
    """Write the image of sphinx-gallery inside of a link to its file."""
    visit_imgsg_html(writer, node)
    image = writer.body.pop()
    writer.body.append(linked(image))


def linked(image: str) -> str:
    """Return the HTML of an image as a link to what it shows."""
    source = re.search(r'src="([^"]+)"', image)
    return f'<a class="full-size" href="{source[1]}">{image}</a>' if source else image


def depart(writer, node):
    """Nothing is left open."""


def setup(app):
    """Replace how sphinx-gallery writes its images; it must be loaded before."""
    app.add_node(imgsgnode, override=True, html=(visit, depart))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
