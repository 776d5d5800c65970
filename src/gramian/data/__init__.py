"""Tables: reading, built-in examples, column kinds, and preparation for models."""

from gramian.data.arff import ArffTable, Attribute, read_arff
from gramian.data.examples import EXAMPLES, load_example
from gramian.data.kinds import ColumnKind, infer_kinds
from gramian.data.mulan import read_label_names
from gramian.data.preparer import TablePreparer
from gramian.data.reading import LoadedTable, parse_table, read_table

__all__ = [
    "EXAMPLES",
    "ArffTable",
    "Attribute",
    "ColumnKind",
    "LoadedTable",
    "TablePreparer",
    "infer_kinds",
    "load_example",
    "parse_table",
    "read_arff",
    "read_label_names",
    "read_table",
]
