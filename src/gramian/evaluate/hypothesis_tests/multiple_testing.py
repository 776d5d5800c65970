r"""Multiple testing: p-values adjusted so that alpha bounds the error rate of the whole family.

Of m p-values p_(1) <= ... <= p_(m), the i-th becomes

    bonferroni          m p_(i)
    holm                max_{j <= i} (m - j + 1) p_(j)
    shaffer             max_{j <= i} t_j p_(j),  t_j = most hypotheses that can be true together
                        when j - 1 of them are false, for all pairs of k models
    hochberg            min_{j >= i} (m - j + 1) p_(j)
    benjamini-hochberg  min_{j >= i} (m / j) p_(j)

and never more than 1. All but the last bound the probability of any false rejection; Hochberg's and
Benjamini and Hochberg's need independent (or positively dependent) p-values, and the last bounds
the expected proportion of false rejections. References: Holm, Scandinavian Journal of
Statistics 6, 1979; Shaffer, JASA 81, 1986; Hochberg, Biometrika 75, 1988; Benjamini and Hochberg,
JRSS B 57, 1995; Garcia and Herrera, JMLR 9, 2008.
"""

from functools import cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.evaluate.input_checks import check_option, check_sample

Adjustment = Literal["holm", "shaffer", "bonferroni", "hochberg", "benjamini-hochberg", "none"]


def adjust_p_values(p_values: ArrayLike, method: Adjustment = "holm") -> Floats:
    """Adjust the p-values of several tests for multiple testing.

    Parameters
    ----------
    p_values
        Shape (m,); for ``"shaffer"`` those of all k (k - 1) / 2 pairs of k models.
    method
        Adjustment method; ``"none"`` returns the p-values unchanged. Reject where the adjusted
        p-value is at most alpha.

    Returns
    -------
    adjusted
        In the order given.

    Examples
    --------
    >>> adjust_p_values([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    check_option("adjust_p_values", "method", method, get_args(Adjustment))
    p = check_sample("adjust_p_values", p_values, at_least=0, name="p_values")
    if len(p) and (p.min() < 0 or p.max() > 1):
        raise DataError("adjust_p_values: p_values must be between 0 and 1.")
    if method == "none" or len(p) == 0:
        return p.copy()
    m, order = len(p), np.argsort(p, kind="stable")
    left = np.arange(m, 0, -1)  # m - j + 1
    factor = {
        "bonferroni": np.full(m, m),
        "holm": left,
        "hochberg": left,
        "benjamini-hochberg": m / np.arange(1, m + 1),
    }.get(method)
    scaled = p[order] * (_shaffer_factors(m) if factor is None else factor)
    if method in ("hochberg", "benjamini-hochberg"):
        scaled = np.minimum.accumulate(scaled[::-1])[::-1]
    else:
        scaled = np.maximum.accumulate(scaled)
    adjusted = np.empty(m)
    adjusted[order] = np.minimum(scaled, 1.0)
    return adjusted


def _shaffer_factors(m: int) -> Floats:
    """Return each t_j: the most equal pairs, up to m - j + 1, that k models can have."""
    k = round((1 + np.sqrt(1 + 8 * m)) / 2)
    if k * (k - 1) // 2 != m:
        raise DataError(
            "adjust_p_values: method='shaffer' needs the p-values of all pairs of k models, "
            f"k (k - 1) / 2 of them; got {m}; use 'holm'."
        )
    possible = np.array(sorted(_equal_pairs(k)))
    return possible[np.searchsorted(possible, np.arange(m, 0, -1), side="right") - 1].astype(float)


@cache
def _equal_pairs(k: int) -> frozenset[int]:
    """Return the possible numbers of equal pairs: j equal models, the others in any grouping."""
    if k < 2:
        return frozenset({0})
    return frozenset(
        j * (j - 1) // 2 + rest for j in range(1, k + 1) for rest in _equal_pairs(k - j)
    )
