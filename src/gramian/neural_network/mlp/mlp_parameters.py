"""The parameters that multi-layer perceptrons share."""

from numbers import Integral, Real
from typing import Annotated, Literal

from gramian.base.callbacks import CallbackSupportMixin
from gramian.base.fields import (
    KW_ONLY,
    Array,
    Count,
    Fraction,
    Function,
    Interval,
    NonNegative,
    NonNegativeInt,
    Positive,
    Seed,
    params,
)
from gramian.base.kinds import Estimator
from gramian.neural_network.mlp.initialization import Init
from gramian.neural_network.mlp.network import Activation
from gramian.neural_network.mlp.row_sampler import Emphasis, EmphasisBy
from gramian.neural_network.training.schedules import Schedule

BelowOne = Annotated[float, Interval(Real, 0, 1, open_high=True)]
Patience = Annotated[int, Interval(Integral, 1)] | Annotated[float, Interval(Real, 1)]
Sizes = Count | Array
Activations = Activation | Array

# The order of the signature: scikit-learn's parameters first.
IN_ORDER = (
    "solver",
    "alpha",
    "batch_size",
    "learning_rate",
    "learning_rate_init",
    "power_t",
    "max_iter",
    "shuffle",
    "random_state",
    "tol",
    "verbose",
    "warm_start",
    "momentum",
    "nesterovs_momentum",
    "early_stopping",
    "validation_fraction",
    "beta_1",
    "beta_2",
    "epsilon",
    "n_iter_no_change",
    "max_fun",
)


@params
class MLPParameters(CallbackSupportMixin, Estimator):
    """Parameters of multi-layer perceptrons.

    Parameters
    ----------
    solver
        Stochastic steps: "sgd" with momentum, "adam", "amsgrad", "adagrad", "rmsprop". On all
        rows at once, for small networks: "lbfgs", "conjugate" gradients, "newton" (up to 3000
        weights).
    alpha
        Strength of the penalty alpha |w|^2 / 2, divided by the number of rows of a batch.
    batch_size
        Rows of a step; "auto" is 200, or all if there are fewer.
    learning_rate
        The schedule: "constant"; "invscaling" divides by (rows seen + 1)^power_t; "adaptive"
        divides by 5 when training no longer improves; "cosine" falls to 0 at max_iter; a function
        of the epoch 0, 1, ... returns a factor. It applies to every stochastic solver. In
        `partial_fit` the counts of rows and epochs continue, and the rate of "adaptive" and
        "cosine" is the initial one.
    learning_rate_init
        The initial learning rate; "auto" tries several on a subsample.
    power_t
        The exponent of "invscaling".
    max_iter
        Maximum number of epochs, or of iterations of a solver that takes all rows at once.
    shuffle
        Whether to present the rows in a new order in every epoch.
    random_state
        Seed or generator for the random draws.
    tol
        Smallest improvement of the loss, or of the validation score, that counts; for solvers on
        all rows, the norm of the gradient at which to stop.
    verbose
        If true, print a line for every epoch or iteration.
    warm_start
        Whether `fit` continues from the weights of the previous one.
    momentum
        Fraction of the last step that "sgd" adds to the next one.
    nesterovs_momentum
        Whether "sgd" uses Nesterov's momentum.
    early_stopping
        Whether to hold out rows, stop when their score no longer improves, and keep the best
        weights. Ignored by the solvers on all rows.
    validation_fraction
        Rows held out by `early_stopping`, if `fit` is given no X_val.
    beta_1
        Decay of the mean of the gradient in "adam" and "amsgrad".
    beta_2
        Decay of the mean of its square in "adam", "amsgrad" and "rmsprop".
    epsilon
        Added to the root of that square.
    n_iter_no_change
        Epochs without improvement before stopping.
    max_fun
        Maximum number of evaluations of the loss by solvers on all rows; the gradients
        from which "newton" computes its Hessian do not count.
    penalize_intercepts
        Whether `alpha` applies to the intercepts too.
    dropout
        Probability with which a hidden unit is left out of a step; or a list with one for each
        hidden layer. The others are scaled up, so that prediction needs no scaling.
    input_dropout
        The same for the inputs.
    batch_norm
        Whether hidden units standardise their sums over the batch, before the activation; in
        prediction by running averages.
    layer_rates
        Factors of the learning rate, one for each layer.
    init
        Initial weights: "glorot" uniform, as scikit-learn; normal with the variance 1 / n_in
        "lecun", 2 / (n_in + n_out) "xavier", 2 / n_in "he", 0.01^2 "small"; or "zeros", from which
        hidden units never become different.
    gradient_noise
        Standard deviation of normal noise added to the gradient at the first step;
        it falls as (1 + t)^-gradient_noise_decay.
    gradient_noise_decay
        That exponent.
    emphasis
        Present rows of rare classes ("class") or rows with a high loss in the last epoch ("loss")
        more often, or with larger weights.
    emphasis_by
        "sampling" draws rows with replacement; "weights" weighs them in the cost.
    masks
        For each layer a matrix of 0 and 1 of the shape of its weights, or None; weights at 0
        do not exist.
    n_init
        Number of random starts; the one with the lowest loss or highest validation score is kept.
    device
        "cuda" trains on a GPU by PyTorch; prediction is on the CPU.

    Attributes
    ----------
    coefs_ : list of arrays (n_in, n_out)
        The weights of each layer.
    intercepts_ : list of arrays (n_out,)
        The intercepts of each layer.
    batch_norm_ : dict or None
        "gamma", "beta", "mean" and "variance" of the hidden layers, with `batch_norm`.
    activations_ : list of str
        The activation of each hidden layer.
    out_activation_ : str
        That of the outputs.
    n_layers_, n_outputs_ : int
        Layers including inputs and outputs; outputs.
    n_iter_ : int
        Epochs of the last fit.
    t_ : int
        Rows presented in all.
    loss_ : float
        The loss of the last epoch.
    best_loss_ : float or None
        The lowest one; None if rows were held out.
    loss_curve_ : list
        The loss of every epoch.
    validation_scores_ : list or None
        The score of the held-out rows after every epoch.
    best_validation_score_ : float or None
        The highest one.
    history_ : dict of lists
        Of every epoch: "loss", "error", "learning_rate", "gradient_norm", "validation_loss" and
        "validation_score", as far as they apply.
    learning_rate_init_ : float
        The initial learning rate, of use with "auto".
    training_state_ : dict
        The state of the optimiser, from which `partial_fit` continues.
    """

    _: KW_ONLY
    solver: Literal[
        "lbfgs", "sgd", "adam", "amsgrad", "adagrad", "rmsprop", "conjugate", "newton"
    ] = "adam"
    alpha: NonNegative = 0.0001
    batch_size: Count | Literal["auto"] = "auto"
    learning_rate: Schedule | Function = "constant"
    learning_rate_init: Positive | Literal["auto"] = 0.001
    power_t: NonNegative = 0.5
    max_iter: Count = 200
    shuffle: bool = True
    random_state: Seed = None
    tol: NonNegative = 1e-4
    verbose: bool | NonNegativeInt = False
    warm_start: bool = False
    momentum: Fraction = 0.9
    nesterovs_momentum: bool = True
    early_stopping: bool = False
    validation_fraction: BelowOne = 0.1
    beta_1: BelowOne = 0.9
    beta_2: BelowOne = 0.999
    epsilon: Positive = 1e-8
    n_iter_no_change: Patience = 10
    max_fun: Count = 15000
    penalize_intercepts: bool = False
    dropout: BelowOne | Array = 0.0
    input_dropout: BelowOne = 0.0
    batch_norm: bool = False
    layer_rates: Array | None = None
    init: Init = "glorot"
    gradient_noise: NonNegative = 0.0
    gradient_noise_decay: NonNegative = 0.55
    emphasis: Emphasis = None
    emphasis_by: EmphasisBy = "sampling"
    masks: Array | None = None
    n_init: Count = 1
    device: Literal["cpu", "cuda"] = "cpu"
