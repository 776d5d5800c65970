"""The everyday functions that ``gramian.<name>`` offers besides packages and estimators.

At most 25, each with the module that it is imported from. Everything else is reached through its
package. ``tools/names`` writes this list and the catalogue into ``__init__.pyi``.
"""

MOST = 25

EVERYDAY = {
    "EarlyStopping": "gramian.base.callbacks",
    "TimeBudget": "gramian.base.callbacks",
    "compare": "gramian.evaluate",
    "export_text": "gramian.tree",
    "fit_table": "gramian.report",
    "get_num_threads": "gramian.base.runtime.threads",
    "load": "gramian.base.files.model_file",
    "load_example": "gramian.data",
    "minimize": "gramian.solvers",
    "plot_decision_regions": "gramian.decision",
    "plot_tree": "gramian.tree",
    "read_table": "gramian.data",
    "save": "gramian.base.files.model_file",
    "set_num_threads": "gramian.base.runtime.threads",
    "show_versions": "gramian.base.versions",
    "to_onnx": "gramian.export",
}
