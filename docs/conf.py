"""How the documentation is built: ``python -m sphinx -W --keep-going docs docs/_build/html``.

Nothing is fetched from the network. What can be computed (the reference, the comparison with
scikit-learn, the syllabus, the benchmarks) is written by `pages.py` before Sphinx reads it.
"""

import sys
import tomllib
from pathlib import Path

from sphinx_gallery.sorting import ExplicitOrder

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import example_imports  # noqa: E402
import inline_roles  # noqa: E402
import pages  # noqa: E402
import quoted_names  # noqa: E402
import rst  # noqa: E402

import gramian  # noqa: E402

project = "gramian"
author = copyright = "the gramian developers"  # noqa: A001
version = release = gramian.__version__

extensions = [
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
    "full_size_images",
    "mathml",
]
exclude_patterns = ["_build", "examples"]
default_role = "quoted"  # code, and a link if it is a public name
smartquotes = False  # quoted values can be copied into code
nitpicky = True  # a reference to a name that has no page fails the build

autodoc_typehints = "none"  # types and ranges are in the parameter lists
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "inherited-members": True}
numpydoc_show_class_members = False

COURSE = tomllib.loads((HERE / "course.toml").read_text())
CHAPTERS = [chapter["gallery"] for chapter in COURSE["chapters"] if "gallery" in chapter]
CHAPTERS.append("larger_data")

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "backreferences_dir": "generated/backreferences",
    "doc_module": ("gramian",),
    "reference_url": {"gramian": None},
    "subsection_order": ExplicitOrder([f"examples/{chapter}" for chapter in CHAPTERS]),
    "within_subsection_order": "FileNameSortKey",
    "filename_pattern": r"/plot_",
    "reset_modules": ("matplotlib", "gallery_style.house_colours"),
    "capture_repr": (),
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_signature": False,
    "remove_config_comments": True,
    "write_computation_times": False,
    "min_reported_time": 600,  # the seconds of this machine are of no use to others
}

html_theme = "pydata_sphinx_theme"
html_title = f"gramian {version}"
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_math_renderer = "mathml"
html_theme_options = {
    "logo": {"text": "gramian"},  # with the version it covers the search of a phone
    "navbar_end": ["theme-switcher"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": False,
    "collapse_navigation": True,  # the names of other packages are a click away
    "secondary_sidebar_items": ["page-toc"],
}
# Pages without pages below them have nothing to list at the left.
html_sidebars = {
    page: []
    for page in (
        "getting_started",
        "determinism",
        "model_files",
        "errors",
        "glossary",
        "gallery/**",
        "generated/syllabus",
        "generated/benchmarks",
        "generated/coming_from_sklearn",
        "generated/compatibility",
    )
}

pages.write(HERE / "generated")


def ours_only(_app, what, _name, thing, skip, _options):
    """Leave out what a class inherits from other packages: they document it themselves."""
    module = getattr(thing, "__module__", None) or getattr(
        getattr(thing, "fget", None), "__module__", ""
    )
    if what == "class" and module and not module.startswith("gramian"):
        return True
    return skip


def plain_signs(app, what, name, obj, options, lines):  # noqa: ARG001
    """Let |w| be a length and ``coef_`` a name in words: no substitution, no link is meant."""
    lines[:] = [rst.escaped(line) for line in lines]


EVERY = [path for group in pages.documented().values() for path in group]
PUBLIC = {id(pages.resolve(path)): path for path in EVERY}


def ready_to_run(app, what, name, obj, options, lines):  # noqa: ARG001
    """Add the imports that the examples of a docstring leave out."""
    module = getattr(getattr(obj, "fget", obj), "__module__", None) or ""
    if module.startswith("gramian"):
        lines[:] = example_imports.with_imports(lines, module, PUBLIC)


def setup(app):
    """Connect the hooks above."""
    found = pages.quotable(EVERY, pages.public_names())
    app.add_role("quoted", quoted_names.QuotedName(found))
    app.add_role("formula", inline_roles.Formula())
    app.add_role("test-name", inline_roles.TestName())
    app.connect("autodoc-skip-member", ours_only)
    app.connect("autodoc-process-docstring", ready_to_run, priority=300)
    app.connect("autodoc-process-docstring", plain_signs, priority=900)
