"""Multi-label classification: a row may have several labels, or none."""

from gramian.multilabel.binary_relevance import BinaryRelevance
from gramian.multilabel.br_knn import BRkNN
from gramian.multilabel.calibrated_label_ranking import CalibratedLabelRanking
from gramian.multilabel.chain_ensemble import EnsembleOfClassifierChains
from gramian.multilabel.homer import HOMER
from gramian.multilabel.label_hierarchy import LabelHierarchy
from gramian.multilabel.label_partitioner import LabelPartitioner
from gramian.multilabel.label_powerset import LabelPowerset
from gramian.multilabel.ml_knn import MLkNN
from gramian.multilabel.partitioned_ranker import PartitionedRanker
from gramian.multilabel.rakel import RAkELd, RAkELo

__all__ = [
    "HOMER",
    "BRkNN",
    "BinaryRelevance",
    "CalibratedLabelRanking",
    "EnsembleOfClassifierChains",
    "LabelHierarchy",
    "LabelPartitioner",
    "LabelPowerset",
    "MLkNN",
    "PartitionedRanker",
    "RAkELd",
    "RAkELo",
]
