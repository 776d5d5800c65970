"""tests/ mirrors src/gramian, file by file; no module is long."""

import ast
from pathlib import Path

HERE = Path(__file__).parent
SOURCE = HERE.parent / "src" / "gramian"
OF_THEIR_OWN = {"benchmarks", "contract", "docs", "fuzz", "native"}  # folders that mirror nothing


def has_code(module: Path) -> bool:
    """Whether a module defines a function or a class; a table of names or types is not tested."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    return any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in tree.body)


def test_every_module_has_a_test_file_of_its_name():
    modules = [path.relative_to(SOURCE) for path in SOURCE.rglob("*.py")]
    asked = [m for m in modules if not m.name.startswith("__") and has_code(SOURCE / m)]
    assert len(asked) > 300
    names = {m: m.with_name(f"test_{m.name.lstrip('_')}") for m in asked}
    missing = [f"tests/{test}" for test in sorted(names.values()) if not (HERE / test).exists()]
    assert missing == []


def test_every_test_file_has_the_name_of_a_module_or_of_its_folder():
    files = [path.relative_to(HERE) for path in HERE.rglob("test_*.py")]
    strangers = []
    for file in sorted(f for f in files if len(f.parts) > 1 and f.parts[0] not in OF_THEIR_OWN):
        name = file.name.removeprefix("test_")
        modules = [SOURCE / file.parent / name, SOURCE / file.parent / f"_{name}"]
        whole_folder = f"{file.stem}_".startswith(f"test_{file.parent.name}_")
        if not whole_folder and not any(module.exists() for module in modules):
            strangers.append(f"tests/{file}")
    assert strangers == []


def test_no_module_has_more_than_400_lines():
    lines = {
        str(path.relative_to(SOURCE)): len(path.read_text(encoding="utf-8").splitlines())
        for path in SOURCE.rglob("*.py")
    }
    assert {name: n for name, n in lines.items() if n > 400} == {}
