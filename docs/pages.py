"""The pages that are computed: reference, what scikit-learn has, syllabus, benchmarks."""

from __future__ import annotations

import inspect
import json
import re
import tomllib
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

import compatibility_page
import reference
from course import syllabus_page
from reference import last, resolve
from rst import table, title

import gramian.textbook

HERE = Path(__file__).parent


def write(folder: Path) -> None:
    """Write every computed page below `folder`, touching only what changed."""
    paths = documented()
    every = {path for group in paths.values() for path in group}
    pages = {f"api/{path}.rst": reference_page(path, resolve(path)) for path in every}
    pages["api/index.rst"] = reference.index(paths, FAMILIES)
    for package, members in reference.by_package(paths, FAMILIES).items():
        pages[f"api/{package}.rst"] = reference.family_page(package, members, FAMILIES)
    pages["coming_from_sklearn.rst"] = comparison_page(
        paths["Estimators"], beside(paths["Estimators"])
    )
    syllabus = tomllib.loads((HERE / "syllabus.toml").read_text())
    course = tomllib.loads((HERE / "course.toml").read_text())
    pages["syllabus.rst"] = syllabus_page(syllabus, course, every)
    pages["compatibility.rst"] = compatibility_page.page(
        HERE / "compatibility.json", HERE / "compatibility.toml"
    )
    scripts = json.loads((HERE / "user_scripts.json").read_text())
    pages["user_scripts.txt"] = compatibility_page.scripts(scripts)  # part of a page of the guide
    pages["benchmarks.rst"] = benchmarks_page(HERE / "benchmarks.json", HERE / "tables.json")
    for name, text in pages.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_text() != text:
            file.write_text(text)
    for stale in set(folder.glob("api/*.rst")) - {folder / name for name in pages}:
        stale.unlink()


def public_names() -> dict[str, str]:
    """Return the module of every name that gramian itself offers, packages aside."""
    stub = Path(gramian.__file__).with_suffix(".pyi").read_text()
    listed = re.findall(r"^from (gramian\.\S+) import (?:\(\s+)?(\w+) as", stub, flags=re.M)
    return {name: module for module, name in listed}


def quotable(paths: list[str], offered: dict[str, str]) -> dict[str, str]:
    """What may be quoted, and the documented path that it means.

    Paths, names that gramian itself offers, and bare names that only one path has, if they are
    classes or of several words: `fit` is any estimator's.
    """
    known = set(paths)
    found = {path: path for path in paths}
    for name, module in offered.items():
        if f"{module}.{name}" in known:
            found[f"gramian.{name}"] = f"{module}.{name}"
    last = Counter(path.rpartition(".")[2] for path in paths)
    for path in paths:
        name = path.rpartition(".")[2]
        if (name[0].isupper() or "_" in name) and last[name] == 1:
            found[name] = path
    return found


def beside(estimators: list[str]) -> dict[str, str]:
    """Return the classes and functions that gramian itself offers beside the estimators."""
    return {
        name: module
        for name, module in sorted(public_names().items())
        if f"{module}.{name}" not in estimators and callable(resolve(f"{module}.{name}"))
    }


# What a family offers beside the estimators and the names of ``import gramian``, by its heading.
FAMILIES = {
    "Acceleration": "gramian.accelerate",
    "Objectives": "gramian.objectives",
    "Solvers": "gramian.solvers",
    "Linear models": "gramian.linear_model",
    "Kernels": "gramian.kernels",
    "Kernel ridge regression": "gramian.kernel_ridge",
    "Kernel approximation": "gramian.kernel_approximation",
    "Neighbours": "gramian.neighbors",
    "Clustering": "gramian.cluster",
    "Graphs": "gramian.graph",
    "Manifold learning": "gramian.manifold",
    "Features": "gramian.preprocessing",
    "Image features": "gramian.feature_extraction.image",
    "Feature selection": "gramian.feature_selection",
    "Graphical models": "gramian.graphical_model",
    "Support vector machines": "gramian.svm",
    "Discriminant analysis": "gramian.discriminant_analysis",
    "Naive Bayes": "gramian.naive_bayes",
    "Mixtures": "gramian.mixture",
    "Multiclass": "gramian.multiclass",
    "Multi-output": "gramian.multioutput",
    "Multi-label learning": "gramian.multilabel",
    "Metrics": "gramian.metrics",
    "Neural networks": "gramian.neural_network",
    "Trees": "gramian.tree",
    "Ensembles": "gramian.ensemble",
    "Decisions": "gramian.decision",
    "Tables larger than memory, and clusters": "gramian.scale",
    "Linear algebra": "gramian.linalg",
    "Random projection": "gramian.random_projection",
    "Decomposition": "gramian.decomposition",
    "Covariance": "gramian.covariance",
    "Distributions": "gramian.distributions",
    "Export": "gramian.export",
    "Tests and intervals": "gramian.evaluate",
    "Tables": "gramian.data",
    "Studies": "gramian.study",
    "Reports": "gramian.report",
    "Figures": "gramian.plot",
    "Course: back-propagation": "gramian.textbook.networks.backprop",
    **{
        f"Course: {room.replace('_', ' ')}": f"gramian.textbook.{room}"
        for room in gramian.textbook.__all__
    },
}


def documented() -> dict[str, list[str]]:
    """Return the dotted paths of all that is public, by heading of the reference."""
    from gramian.base.catalogue import ESTIMATORS

    paths = {
        "Estimators": [entry.path for entry in ESTIMATORS],
        "Helpers": [
            f"{module}.{name}"
            for name, module in public_names().items()
            if module.startswith("gramian.base")
        ],
    }
    known = {path for group in paths.values() for path in group}
    for heading, package in FAMILIES.items():
        offered = [f"{package}.{name}" for name in callables(import_module(package))]
        paths[heading] = [path for path in offered if path not in known]
    paths["Errors"] = [f"gramian.base.errors.{name}" for name in errors()]
    return {heading: group for heading, group in paths.items() if group}


def callables(package: Any) -> list[str]:
    """Names of the public classes and functions of a package."""
    return [name for name in package.__all__ if callable(getattr(package, name))]


def errors() -> list[str]:
    """Names of the exceptions of ours."""
    module = import_module("gramian.base.errors")
    found = inspect.getmembers(module, inspect.isclass)
    return [name for name, cls in found if cls.__module__ == module.__name__]


# --- the reference -----------------------------------------------------------------------------


def reference_page(path: str, thing: Any) -> str:
    """One page for one class or function, with the gallery examples that use it."""
    module, _, name = path.rpartition(".")
    kind = "class" if inspect.isclass(thing) else "function"
    if inspect.isclass(thing) and issubclass(thing, BaseException):
        kind = "exception"
    used = f"gramian.{name}" if name in public_names() else path
    lines = [title(name), f".. currentmodule:: {module}", ""]
    if hasattr(thing, "model_family"):
        lines += [how_it_is_built(thing), ""]
    if kind == "function" and name in public_names():
        lines += [f".. py:function:: {name}()", "   :module: gramian", "   :no-typesetting:", ""]
    lines.append(f".. auto{kind}:: {name}")
    if kind != "exception":
        lines += ["", f".. minigallery:: {used}", "   :add-heading: Examples that use it"]
    return "\n".join([*lines, ""])


def how_it_is_built(classifier: Any) -> str:
    """A sentence on the family of a classifier, and whether it gives probabilities."""
    from gramian.evaluate.task import family_of, has_posteriors

    words = {
        "generative": "Generative: models the rows of each class.",
        "discriminative": "Discriminative: models the class probabilities.",
        "boundary": "Models only the boundary between classes.",
        None: "Its family depends on the classifier that it wraps.",
    }
    probabilities = (
        " Predicts probabilities."
        if has_posteriors(classifier)
        else " Does not predict probabilities."
    )
    family = family_of(classifier)
    return words[family] + (probabilities if family is not None else "")


# --- coming from scikit-learn ------------------------------------------------------------------


def comparison_page(paths: list[str], functions: dict[str, str]) -> str:
    """What is the same, added, missing or different, read from both signatures."""
    from sklearn.utils.discovery import all_estimators, all_functions

    listed_there = dict(all_estimators()) | dict(all_functions())
    every = sorted([*paths, *(f"{module}.{name}" for name, module in functions.items())], key=last)
    lines = [title("Coming from scikit-learn"), COMPARISON, ""]
    alone = []
    for path in every:
        name, theirs = last(path), listed_there.get(last(path)) or in_the_same_family(path)
        if theirs is None:
            alone.append(name)
            continue
        place = theirs.__module__.rsplit("._", 1)[0]
        lines += [title(name, "-"), f"Instead of `{place}.{name}`.", ""]
        lines += [f"- {line}" for line in compare(resolve(path), theirs)] + [""]
    if alone:
        names = ", ".join(f"`{name}`" for name in alone)
        lines += [title("Only in gramian", "-"), f"{names}.", ""]
    return "\n".join(lines)


def in_the_same_family(path: str) -> Any:
    """What scikit-learn's family of that name calls the same, if anything."""
    family = path.split(".")[1]
    try:
        return getattr(import_module(f"sklearn.{family}"), last(path), None)
    except ModuleNotFoundError:
        return None


COMPARISON = """\
Change the import and keep the rest of your code: where the concept is the same, names, parameters,
defaults and attributes are scikit-learn's. This page is generated from the signatures of the two
installed versions, so it is always up to date. It omits parameters that scikit-learn has
deprecated. For splitters, scorers, pipelines, searches, scalers, encoders and imputers, use
scikit-learn's own classes with gramian's estimators.

One convention differs on purpose: a row of weight k always counts as k rows. Class weights multiply
`sample_weight`, and `class_weight="balanced"` uses the total weight of the rows of each class,
where trees, forests, boosting and some linear models of scikit-learn count rows and ignore their
weights. Results differ only if both weights are given. A row of weight 0 has no effect;
scikit-learn's histogram boosting counts it in `min_samples_leaf`."""


def compare(ours: Any, theirs: Any) -> list[str]:
    """Sentences about two classes or functions of one name."""
    mine, other = parameters(ours), parameters(theirs)
    if other is None:
        other = mine  # compiled there, without a signature to read: only methods are compared
    added = [f"`{name}`" for name in mine if name not in other]
    missing = [f"`{name}`" for name in other if name not in mine]
    changed = [
        f"`{name}` is {mine[name]!r} instead of {other[name]!r}"
        for name in mine
        if name in other and mine[name] != other[name]
    ]
    sentences = [f"Parameters added: {', '.join(added)}."] if added else []
    sentences += [f"Parameters missing: {', '.join(missing)}."] if missing else []
    sentences += [f"Different defaults: {'; '.join(changed)}."] if changed else []
    if inspect.isclass(ours):
        more, fewer = methods(ours) - methods(theirs), methods(theirs) - methods(ours)
        sentences += [f"Methods added: {listed(more)}."] if more else []
        sentences += [f"Methods missing: {listed(fewer)}."] if fewer else []
    return sentences or ["Same parameters, defaults and methods."]


def parameters(thing: Any) -> dict[str, Any] | None:
    """Names and defaults of a signature, without what scikit-learn marks as deprecated."""
    try:
        found = inspect.signature(thing).parameters.values()
    except ValueError:
        return None
    return {p.name: p.default for p in found if p.default != "deprecated"}


def methods(cls: type) -> set[str]:
    """Public methods of a class; those that hide behind a condition of its settings count."""
    names = (name for name in dir(cls) if not name.startswith("_"))
    return {name for name in names if callable(inspect.getattr_static(cls, name, None))} | {
        name for name in dir(cls) if not name.startswith("_") and conditional(cls, name)
    }


def conditional(cls: type, name: str) -> bool:
    """Whether scikit-learn's `available_if` made this method."""
    return hasattr(inspect.getattr_static(cls, name, None), "check")


def listed(names: set[str]) -> str:
    """Names as code, in order."""
    return ", ".join(f"`{name}`" for name in sorted(names))


# --- the benchmarks ----------------------------------------------------------------------------


def benchmarks_page(record_file: Path, studied_file: Path) -> str:
    """The stored tables, with the machine they were measured on."""
    from benchmarks.harness import studies
    from benchmarks.harness import table as report
    from benchmarks.harness.run import from_json

    lines = [title("Benchmarks"), report.RULES.replace("`", ""), ""]
    if not record_file.exists():
        return "\n".join([*lines, "No measurements are stored.", ""])
    record = json.loads(record_file.read_text())
    results = [from_json(result) for result in record["results"]]
    lines += [f"| {line}" for line in report.heading(record)] + [""]
    lines.append(
        table(report.HEAD, report.rows(results), widths="24 8 14 8 8 18 12 8", name="measured")
    )
    lines += [f"- {note}" for note in report.notes(results, record["roof"])]
    lines += ["", "To measure on your own machine, run `python -m benchmarks`.", ""]
    if studied_file.exists():
        studied = json.loads(studied_file.read_text())
        lines += [title(studies.TITLE, "-"), studies.RULES.replace("`", ""), ""]
        lines += [studies.summary(studied), ""]
        widths = " ".join("14" if a == "l" else "8" for a in studies.ALIGN)
        lines.append(table(studies.HEAD, studies.rows(studied), widths=widths, name="studies"))
        lines += [*(f"- {note}" for note in studies.notes(studied)), ""]
    return "\n".join(lines)
