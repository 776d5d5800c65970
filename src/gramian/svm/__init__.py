"""Support vector machines."""

from gramian.svm.linear_svc import LinearSVC
from gramian.svm.linear_svr import LinearSVR
from gramian.svm.nu_svc import NuSVC
from gramian.svm.nu_svr import NuSVR
from gramian.svm.one_class_svm import OneClassSVM
from gramian.svm.svc import SVC
from gramian.svm.svc_grid_cv import SVCGridCV
from gramian.svm.svr import SVR

__all__ = ["SVC", "SVR", "LinearSVC", "LinearSVR", "NuSVC", "NuSVR", "OneClassSVM", "SVCGridCV"]
