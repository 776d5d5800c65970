"""``python -m gramian.accelerate [--report] (script.py | -m module) [arguments]``."""

import argparse
import gc
import runpy
import sys
from pathlib import Path

import gramian
from gramian.accelerate.records import report


def main(arguments: list[str] | None = None) -> None:
    """Run a script or module as Python would, accelerated."""
    parser = argparse.ArgumentParser(
        prog="python -m gramian.accelerate",
        description="Run a script that uses scikit-learn with gramian's estimators.",
    )
    parser.add_argument("--report", action="store_true", help="say at the end what ran where")
    parser.add_argument("-m", dest="module", action="store_true", help="run a module, not a script")
    parser.add_argument("script", help="the script, or the module's name")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="the script's own arguments")
    given = parser.parse_args(arguments)
    sys.argv = [given.script, *given.arguments]
    gramian.accelerate()  # type: ignore[operator]
    gc.freeze()  # all there is so far are modules: collections of the script's need not visit them
    try:
        if given.module:
            sys.path[0] = ""
            runpy.run_module(given.script, run_name="__main__", alter_sys=True)
        else:
            sys.path[0] = str(Path(given.script).resolve().parent)
            runpy.run_path(given.script, run_name="__main__")
    finally:
        if given.report:
            sys.stderr.write(f"{report()}\n")


if __name__ == "__main__":
    main()
