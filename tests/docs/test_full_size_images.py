"""Figures of the gallery are links to their files."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx_gallery")
sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

import full_size_images


def test_an_image_becomes_a_link_to_its_file():
    image = '<img src="../_images/a.png" srcset="../_images/a.png" alt="b" />'
    assert full_size_images.linked(image) == (
        f'<a class="full-size" href="../_images/a.png">{image}</a>'
    )
    assert full_size_images.linked("no image") == "no image"
