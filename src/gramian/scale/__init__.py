"""Tables larger than memory, and clusters: chunks on disk and Dask.

The same steps that fit a model in memory run over chunks, one after the other, or over parts on the
workers of a cluster; their sums are merged in the order of the rows.
"""

from gramian.scale.fitting import fit, predict, score
from gramian.scale.large_tables import LargeTable
from gramian.scale.queries import kneighbors, log_density
from gramian.scale.sketch import histogram, quantiles
from gramian.scale.table_chunks import TableChunks, chunks
from gramian.scale.worker_objects import ClusterError

__all__ = [
    "ClusterError",
    "LargeTable",
    "TableChunks",
    "chunks",
    "fit",
    "histogram",
    "kneighbors",
    "log_density",
    "predict",
    "quantiles",
    "score",
]
