"""The command ``gramian``."""

import sys
from importlib.util import find_spec

from gramian.base.errors import MissingExtra, need


def main() -> None:
    """Run the command; without the extra ``app``, print how to install it."""
    try:
        for module in ("typer", "rich", "polars", "jinja2"):
            if find_spec(module) is None:  # looked for, not imported
                need(module, extra="app")
    except MissingExtra as error:
        sys.stderr.write(f"gramian: {error}\n")
        sys.exit(2)
    from gramian.cli.app import run_app

    sys.exit(run_app())
