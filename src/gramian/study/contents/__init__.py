"""The contents of the report: one frozen dataclass a section, written as ``report.json``."""

from gramian.study.contents.contents import (
    ClusterContents,
    Contents,
    LabelContents,
    SupervisedContents,
)

__all__ = ["ClusterContents", "Contents", "LabelContents", "SupervisedContents"]
