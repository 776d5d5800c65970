"""Tables from files: what estimators learn from."""

from gramian.data.arff import ArffTable, Attribute, read_arff

__all__ = ["ArffTable", "Attribute", "read_arff"]
