"""The metrics of the report."""

from gramian.study.contents.metrics import MetricInfo


def test_the_main_metric_comes_first(classes, numbers):
    for contents in (classes, numbers):
        assert [metric.is_main for metric in contents.metrics].index(True) == 0
        assert sum(metric.is_main for metric in contents.metrics) == 1
        assert all(isinstance(metric, MetricInfo) and metric.words for metric in contents.metrics)
