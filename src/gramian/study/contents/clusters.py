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
        Mean or most frequent value in each cluster; None where all values are missing.
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
        Their places and their clusters.
    variance
        Share of the variance of each component.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    group: tuple[int, ...]
    variance: tuple[float, float]


@dataclass(frozen=True)
class Clusters:
    """The clusters: all numbers tried, the best one `k`, sizes, profiles and a picture."""

    tried: tuple[TriedClusters, ...]
    k: int
    sizes: tuple[int, ...]
    profiles: tuple[ClusterProfile, ...]
    picture: ClusterPicture
