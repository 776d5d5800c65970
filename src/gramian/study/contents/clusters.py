"""Clusters of the rows, for a table without a target."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TriedClusters:
    """A number of clusters with its mean silhouette and its sum of squared distances."""

    k: int
    silhouette: float
    inertia: float


@dataclass(frozen=True)
class ClusterProfile:
    """A column by cluster.

    Attributes
    ----------
    column, kind
        The column and its kind.
    values
        Mean or most frequent value in each cluster; None if all values are missing.
    all
        Mean of all rows; None for a categorical column.
    """

    column: str
    kind: str
    values: tuple[float | str | None, ...]
    all: float | None


@dataclass(frozen=True)
class ClusterPicture:
    """Some rows in two principal components.

    Attributes
    ----------
    x, y, group
        Their positions and their clusters.
    variance
        Proportion of variance explained by each component.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    group: tuple[int, ...]
    variance: tuple[float, float]


@dataclass(frozen=True)
class ClusterSizes:
    """All numbers of clusters tried, the best number `k`, and the rows of each cluster."""

    tried: tuple[TriedClusters, ...]
    k: int
    sizes: tuple[int, ...]


@dataclass(frozen=True)
class Clusters(ClusterSizes):
    """The clusters: sizes, profiles and a picture."""

    profiles: tuple[ClusterProfile, ...]
    picture: ClusterPicture
