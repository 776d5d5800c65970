"""``python -m gramian.accelerate [--report] (script.py | -m module) [arguments]``."""

import argparse
import gc
import runpy
import sys
from pathlib import Path

import gramian
from gramian.accelerate.records import report


def main(arguments: list[str] | None = None) -> None:
    """Run a script or module as Python would, but accelerated."""
    parser = argparse.ArgumentParser(
        prog="python -m gramian.accelerate",
        description="Run a script that uses scikit-learn with gramian's estimators.",
    )
    parser.add_argument(
        "--report", action="store_true", help="print at the end which library ran each call"
    )
    parser.add_argument("-m", dest="module", action="store_true", help="run a module, not a script")
    parser.add_argument("script", help="the script, or the module's name")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="the script's own arguments")
    options = parser.parse_args(arguments)
    sys.argv = [options.script, *options.arguments]
    gramian.accelerate()  # type: ignore[operator]
    gc.freeze()  # only modules exist so far: the script's collections can skip them
    try:
        if options.module:
            sys.path[0] = ""
            runpy.run_module(options.script, run_name="__main__", alter_sys=True)
        else:
            sys.path[0] = str(Path(options.script).resolve().parent)
            runpy.run_path(options.script, run_name="__main__")
    finally:
        if options.report:
            sys.stderr.write(f"{report()}\n")


if __name__ == "__main__":
    main()
