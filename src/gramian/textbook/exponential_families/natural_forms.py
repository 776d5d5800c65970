"""The families of this package in natural form."""

from collections.abc import Callable
from typing import Any

from gramian.base.errors import ParameterError
from gramian.distributions.common.distribution import Distribution
from gramian.distributions.continuous.beta import Beta
from gramian.distributions.continuous.chi_squared import ChiSquared
from gramian.distributions.continuous.exponential import Exponential
from gramian.distributions.continuous.gamma import Gamma
from gramian.distributions.continuous.gaussian import Gaussian
from gramian.distributions.continuous.inverse_gamma import InverseGamma
from gramian.distributions.discrete.bernoulli import Bernoulli
from gramian.distributions.discrete.binomial import Binomial
from gramian.distributions.discrete.categorical import Categorical
from gramian.distributions.discrete.multinomial import Multinomial
from gramian.distributions.discrete.negative_binomial import NegativeBinomial
from gramian.distributions.discrete.poisson import Poisson
from gramian.distributions.multivariate.dirichlet import Dirichlet
from gramian.textbook.exponential_families.continuous_forms import (
    beta_form,
    chi_squared_form,
    dirichlet_form,
    exponential_form,
    gamma_form,
    gaussian_form,
    inverse_gamma_form,
)
from gramian.textbook.exponential_families.discrete_forms import (
    bernoulli_form,
    binomial_form,
    categorical_form,
    multinomial_form,
    negative_binomial_form,
    poisson_form,
)
from gramian.textbook.exponential_families.natural_form import NaturalForm

_FORMS: dict[type[Distribution], Callable[..., NaturalForm]] = {
    Bernoulli: bernoulli_form,
    Binomial: binomial_form,
    Categorical: categorical_form,
    Multinomial: multinomial_form,
    NegativeBinomial: negative_binomial_form,
    Poisson: poisson_form,
    Exponential: exponential_form,
    Gamma: gamma_form,
    InverseGamma: inverse_gamma_form,
    ChiSquared: chi_squared_form,
    Beta: beta_form,
    Dirichlet: dirichlet_form,
    Gaussian: gaussian_form,
}


def natural_form(family: type[Distribution], **fixed: Any) -> NaturalForm:
    """Return a family of distributions in natural form, as an exponential family.

    Parameters
    ----------
    family
        Bernoulli, Binomial (with `n`), Categorical (with `n_categories`), Multinomial (with `n` and
        `n_categories`), NegativeBinomial (with `r`), Poisson, Exponential, Gamma, InverseGamma,
        ChiSquared, Beta, Dirichlet (with `n_categories`) or Gaussian.
    fixed
        Parameters that are known.

    Returns
    -------
    NaturalForm
        The functions h, u and A, with maximum likelihood and conjugate priors.

    Examples
    --------
    >>> form = natural_form(Gaussian)
    >>> round(form.member(form.maximum_likelihood([1.0, 3.0])).variance, 6)
    1.0
    """
    if family not in _FORMS:
        raise ParameterError(
            f"natural_form: family must be one of {', '.join(known.__name__ for known in _FORMS)}; "
            f"got {family.__name__}."
        )
    return _FORMS[family](**fixed)
