"""``gramian export``: a saved model in the format of other systems."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from gramian.base.errors import ParameterError
from gramian.cli.console import emit, say


def export(
    model: Annotated[Path, Argument(help="Run directory, or the model.gram in it.")],
    out: Annotated[
        Path | None,
        Option(help="File to write, .onnx; the default is model.onnx next to the model."),
    ] = None,
) -> None:
    """Export a saved model to ONNX, including the preprocessing of its columns.

    Prints the inputs and outputs. An existing file is never overwritten.
    """
    from gramian.export import to_onnx
    from gramian.study.run_folder import unused_path
    from gramian.study.using import load_model, model_path

    if out is not None and out.suffix.lower() != ".onnx":
        raise ParameterError(f"--out must end in .onnx; got {out.name!r}.")
    path = unused_path(model_path(model).with_suffix(".onnx") if out is None else out)
    found = to_onnx(load_model(model), path)
    for value in found.graph.input:
        about = f": {value.doc_string}" if value.doc_string else ""
        say(f"input {value.name!r}{about}")
    for value in found.graph.output:
        say(f"output {value.name!r}")
    emit(str(path))
