"""Tables: reading, built-in examples, column kinds, and preparation for models."""

from gramian.data.arff import ArffTable, Attribute, read_arff
from gramian.data.examples import EXAMPLES, load_example
from gramian.data.kinds import ColumnKind, infer_kinds
from gramian.data.mulan import read_label_names
from gramian.data.preparer import TablePreparer
from gramian.data.reading import LoadedTable, parse_table, read_table
from gramian.data.textbook import (
    Sample,
    circles,
    faces,
    heights,
    nested_spheres,
    sine,
    spirals,
    two_gaussians,
    xor,
)

__all__ = [
    "EXAMPLES",
    "ArffTable",
    "Attribute",
    "ColumnKind",
    "LoadedTable",
    "Sample",
    "TablePreparer",
    "circles",
    "faces",
    "heights",
    "infer_kinds",
    "load_example",
    "nested_spheres",
    "parse_table",
    "read_arff",
    "read_label_names",
    "read_table",
    "sine",
    "spirals",
    "two_gaussians",
    "xor",
]
