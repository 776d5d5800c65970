"""Initial components: from an assignment of the rows, or given by the user."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.conversions import parameter_array
from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs.targets import Codes
from gramian.base.kinds import Estimator
from gramian.base.randomness import stream
from gramian.base.rows.class_moments import ClassMoments
from gramian.base.rows.class_scores import check_priors
from gramian.base.rows.column_moments import ColumnMoments
from gramian.base.types import Data, Floats, Weights
from gramian.cluster import KMeans, kmeans_plusplus
from gramian.mixture.components import Components, CovarianceType, Sums, maximised


def check_labels_known(labels: Any, n_samples: int, n_components: int) -> Codes | None:
    """Return the known components of rows, -1 if unknown; None if there are no labels."""
    if labels is None:
        return None
    known = np.asarray(labels)
    inside = known.dtype.kind in "iu" and known.shape == (n_samples,)
    if not inside or known.min() < -1 or known.max() >= n_components:
        description = f"{known.dtype} of shape {known.shape}"
        if inside:
            description = f"labels from {known.min()} to {known.max()}"
        raise DataError(
            f"GaussianMixture: labels must be {n_samples} integers, the component 0 to "
            f"{n_components - 1} of each row, or -1 if unknown; got "
            f"{description}."
        )
    return known.astype(np.intp)


def first_labels(
    table: Data,
    weights: Weights | None,
    n_components: int,
    init_params: str,
    seed: int,
    known: Codes | None,
) -> Codes:
    """Assign complete rows to components; rows with known labels keep them."""
    n = table.shape[0]
    if init_params == "random":
        labels = stream(seed).integers(n_components, size=n)
    elif init_params == "kmeans" and known is None:
        model = KMeans(n_components, n_init=1, random_state=seed)
        labels = np.asarray(model.fit(table, sample_weight=weights).labels_, dtype=np.intp)
    else:
        labels = _nearest(table, _centers(table, weights, n_components, init_params, seed, known))
    labels = np.asarray(labels, dtype=np.intp)
    return labels if known is None else np.where(known >= 0, known, labels)


def _centers(
    table: Data,
    weights: Weights | None,
    n_components: int,
    init_params: str,
    seed: int,
    known: Codes | None,
) -> Floats:
    """Choose rows as centres; the centre of a component with labelled rows is their mean."""
    centers: Floats = np.zeros((n_components, table.shape[1]))
    found = np.zeros(n_components, dtype=bool)
    if known is not None:
        labelled = known >= 0
        held = None if weights is None else weights[labelled]
        means = ColumnMoments.of(table[labelled], known[labelled], n_components, held)
        centers, found = means.means.copy(), means.weights > 0
    if init_params == "random_from_data":
        p = None if weights is None else weights / weights.sum()
        rows = stream(seed).choice(table.shape[0], n_components, replace=False, p=p)
        centers[~found] = table[rows][~found]
    elif found.any():
        _choose_far_rows(table, weights, centers, found, seed)
    else:
        centers, _ = kmeans_plusplus(table, n_components, sample_weight=weights, random_state=seed)
    return np.asarray(centers, dtype=np.float64)


def _choose_far_rows(
    table: Data, weights: Weights | None, centers: Floats, found: npt.NDArray[np.bool_], seed: int
) -> None:
    """Set the missing centres to rows, as greedy k-means++ does.

    Several rows are drawn, in proportion to their weight times the squared distance from the
    nearest centre so far; the one that minimises the sum of these is the next centre.
    """
    rng = stream(seed)
    share = np.ones(len(table)) if weights is None else weights
    nearest = np.full(len(table), np.inf)
    for center in centers[found]:
        nearest = np.minimum(nearest, ((table - center) ** 2).sum(axis=1))
    for k in np.flatnonzero(~found):
        p = share * nearest
        p = p if p.sum() > 0 else share  # every row equals a centre
        drawn = rng.choice(len(table), size=2 + int(np.log(len(centers))), p=p / p.sum())
        left = [np.minimum(nearest, ((table - table[row]) ** 2).sum(axis=1)) for row in drawn]
        best = int(np.argmin([share @ squares for squares in left]))
        centers[k], nearest = table[drawn[best]], left[best]


def _nearest(table: Data, centers: Floats) -> Codes:
    model = KMeans(len(centers), init=centers, n_init=1, max_iter=1)
    model.cluster_centers_ = centers.astype(table.dtype)
    model.n_features_in_ = table.shape[1]
    return np.asarray(model.predict(table), dtype=np.intp)


def components_of(
    kind: CovarianceType,
    table: Data,
    labels: Codes,
    n_components: int,
    weights: Weights | None,
    reg_covar: float,
) -> Components:
    """Return the components of assigned, complete rows."""
    if kind in ("diag", "spherical"):
        columns = ColumnMoments.of(table, labels, n_components, weights)
        sums = Sums(columns.weights, np.zeros_like(columns.means), columns.squares)
        return maximised(kind, columns.means, sums, reg_covar)
    moments = ClassMoments.of(table, labels, n_components, weights)
    scatter = np.array([moments.scatter(k) for k in range(n_components)])
    sums = Sums(moments.weights, np.zeros_like(moments.means), scatter)
    return maximised(kind, moments.means, sums, reg_covar)


def first_components(
    model: Estimator, table: Data, weights: Weights | None, known: Codes | None, seed: int
) -> Components:
    """Return the initial components of a mixture, from an assignment or from its parameters."""
    K, d, kind = model.n_components, table.shape[1], model.covariance_type
    filled = _filled(table)
    division = first_labels(filled, weights, K, model.init_params, seed, known)
    made = components_of(kind, filled, division, K, weights, model.reg_covar)
    pi, means, covariances = made.weights, made.means, made.covariances
    if model.weights_init is not None:
        pi = check_priors("GaussianMixture", "weights_init", model.weights_init, K, sum_one=True)
    if model.means_init is not None:
        means = _checked("means_init", model.means_init, (K, d))
    if model.precisions_init is not None:
        precisions = _checked("precisions_init", model.precisions_init, covariances.shape)
        covariances = _inverse(kind, precisions)
    return Components.of(kind, pi, means, covariances)


def _inverse(kind: CovarianceType, precisions: Floats) -> Floats:
    """Convert the user's precisions to covariances."""
    if kind in ("diag", "spherical"):
        if (precisions > 0).all():
            return np.asarray(1 / precisions)
    else:
        symmetric = np.allclose(precisions, np.swapaxes(precisions, -1, -2))
        if symmetric and (np.linalg.eigvalsh(precisions) > 0).all():
            return np.asarray(np.linalg.inv(precisions), dtype=np.float64)
    raise ParameterError(
        "GaussianMixture: precisions_init must be positive numbers, or symmetric and positive "
        "definite matrices; pass the inverses of covariances."
    )


def _filled(table: Data) -> Data:
    """Replace missing values with the means of their columns."""
    gone = np.isnan(table)
    if not gone.any():
        return table
    counts = np.maximum((~gone).sum(axis=0), 1)
    means = np.where(gone, 0, table).sum(axis=0) / counts
    return np.where(gone, means.astype(table.dtype), table)


def _checked(name: str, value: Any, shape: tuple[int, ...]) -> Floats:
    values = parameter_array("GaussianMixture", name, value)
    if values.shape != shape or not np.isfinite(values).all():
        raise ParameterError(
            f"GaussianMixture: {name} must be finite, of shape {shape}; got shape {values.shape}."
        )
    return values
