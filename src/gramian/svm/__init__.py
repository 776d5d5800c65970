"""Support vector machines."""

from gramian.svm.linear_svc import LinearSVC
from gramian.svm.linear_svr import LinearSVR
from gramian.svm.margin_report import MistakeBound, SupportReport, mistake_bound, support_report
from gramian.svm.svc import SVC

__all__ = [
    "SVC",
    "LinearSVC",
    "LinearSVR",
    "MistakeBound",
    "SupportReport",
    "mistake_bound",
    "support_report",
]
