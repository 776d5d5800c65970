"""The catalogue: every public estimator in one table of strings.

Tests, documentation, the command and `load` read it; an entry is resolved by importlib when it
is asked for. A test requires the table to equal the set of public estimators; how the contract
tests make each of them is in tests/contract/settings.py.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

# An estimator of two kinds has the one that it predicts by: a discriminant is a classifier.
EstimatorKind = Literal[
    "classifier",
    "regressor",
    "clusterer",
    "transformer",
    "embedding",  # of the fitted rows alone: no transform
    "neighbors",
    "density",
    "outlier",
]


@dataclass(frozen=True)
class Entry:
    """One estimator: its public address and what it does."""

    path: str
    kind: EstimatorKind

    @property
    def name(self) -> str:
        """The class's name."""
        return self.path.rpartition(".")[2]

    def resolve(self) -> type[Any]:
        """Import and return the class."""
        return resolve(self.path)


def resolve(path: str) -> type[Any]:
    """Import and return the class of a dotted path."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)  # type: ignore[no-any-return]


ESTIMATORS: tuple[Entry, ...] = (
    Entry("gramian.cluster.AgglomerativeClustering", "clusterer"),
    Entry("gramian.cluster.BalancedKMeans", "clusterer"),
    Entry("gramian.cluster.BisectingKMeans", "clusterer"),
    Entry("gramian.cluster.DBSCAN", "clusterer"),
    Entry("gramian.cluster.DivisiveClustering", "clusterer"),
    Entry("gramian.cluster.HDBSCAN", "clusterer"),
    Entry("gramian.cluster.KMeans", "clusterer"),
    Entry("gramian.cluster.KMedoids", "clusterer"),
    Entry("gramian.cluster.MiniBatchKMeans", "clusterer"),
    Entry("gramian.cluster.SpectralClustering", "clusterer"),
    Entry("gramian.covariance.EmpiricalCovariance", "density"),
    Entry("gramian.covariance.LedoitWolf", "density"),
    Entry("gramian.covariance.OAS", "density"),
    Entry("gramian.covariance.ShrunkCovariance", "density"),
    Entry("gramian.data.TablePreparer", "transformer"),
    Entry("gramian.decision.BayesDecision", "classifier"),
    Entry("gramian.decomposition.FactorAnalysis", "transformer"),
    Entry("gramian.decomposition.FastICA", "transformer"),
    Entry("gramian.decomposition.IncrementalPCA", "transformer"),
    Entry("gramian.decomposition.KernelPCA", "transformer"),
    Entry("gramian.decomposition.NMF", "transformer"),
    Entry("gramian.decomposition.PCA", "transformer"),
    Entry("gramian.decomposition.TruncatedSVD", "transformer"),
    Entry("gramian.discriminant_analysis.GenerativeClassifier", "classifier"),
    Entry("gramian.discriminant_analysis.LinearDiscriminantAnalysis", "classifier"),
    Entry("gramian.discriminant_analysis.QuadraticDiscriminantAnalysis", "classifier"),
    Entry("gramian.ensemble.AdaBoostClassifier", "classifier"),
    Entry("gramian.ensemble.AdaBoostRegressor", "regressor"),
    Entry("gramian.ensemble.BaggingClassifier", "classifier"),
    Entry("gramian.ensemble.BaggingRegressor", "regressor"),
    Entry("gramian.ensemble.CascadeClassifier", "classifier"),
    Entry("gramian.ensemble.DecisionStump", "classifier"),
    Entry("gramian.ensemble.ExtraTreesClassifier", "classifier"),
    Entry("gramian.ensemble.ExtraTreesRegressor", "regressor"),
    Entry("gramian.ensemble.GradientBoostingClassifier", "classifier"),
    Entry("gramian.ensemble.GradientBoostingRegressor", "regressor"),
    Entry("gramian.ensemble.HistGradientBoostingClassifier", "classifier"),
    Entry("gramian.ensemble.HistGradientBoostingRegressor", "regressor"),
    Entry("gramian.ensemble.RandomForestClassifier", "classifier"),
    Entry("gramian.ensemble.RandomForestRegressor", "regressor"),
    Entry("gramian.ensemble.VotingClassifier", "classifier"),
    Entry("gramian.ensemble.VotingRegressor", "regressor"),
    Entry("gramian.feature_selection.BestSubsetSelector", "transformer"),
    Entry("gramian.feature_selection.StepwiseSelector", "transformer"),
    Entry("gramian.kernel_approximation.Nystroem", "transformer"),
    Entry("gramian.kernel_approximation.PolynomialCountSketch", "transformer"),
    Entry("gramian.kernel_approximation.RBFSampler", "transformer"),
    Entry("gramian.kernel_ridge.KernelRidge", "regressor"),
    Entry("gramian.kernel_ridge.KernelRidgeCV", "regressor"),
    Entry("gramian.linear_model.BayesianRidge", "regressor"),
    Entry("gramian.linear_model.ChebyshevRegression", "regressor"),
    Entry("gramian.linear_model.ElasticNet", "regressor"),
    Entry("gramian.linear_model.ElasticNetCV", "regressor"),
    Entry("gramian.linear_model.HuberRegressor", "regressor"),
    Entry("gramian.linear_model.KernelLogisticRegression", "classifier"),
    Entry("gramian.linear_model.KernelPerceptron", "classifier"),
    Entry("gramian.linear_model.Lars", "regressor"),
    Entry("gramian.linear_model.Lasso", "regressor"),
    Entry("gramian.linear_model.LassoCV", "regressor"),
    Entry("gramian.linear_model.LassoLars", "regressor"),
    Entry("gramian.linear_model.LeastAbsoluteDeviations", "regressor"),
    Entry("gramian.linear_model.LinearProgramClassifier", "classifier"),
    Entry("gramian.linear_model.LinearRegression", "regressor"),
    Entry("gramian.linear_model.LogisticRegression", "classifier"),
    Entry("gramian.linear_model.LogisticRegressionCV", "classifier"),
    Entry("gramian.linear_model.Perceptron", "classifier"),
    Entry("gramian.linear_model.PoissonRegressor", "regressor"),
    Entry("gramian.linear_model.QuantileRegressor", "regressor"),
    Entry("gramian.linear_model.Ridge", "regressor"),
    Entry("gramian.linear_model.RidgeCV", "regressor"),
    Entry("gramian.linear_model.RidgeClassifier", "classifier"),
    Entry("gramian.linear_model.RidgeClassifierCV", "classifier"),
    Entry("gramian.linear_model.SGDClassifier", "classifier"),
    Entry("gramian.linear_model.SGDRegressor", "regressor"),
    Entry("gramian.linear_model.SigmoidDiscriminant", "classifier"),
    Entry("gramian.linear_model.VotedPerceptron", "classifier"),
    Entry("gramian.manifold.ClassicalMDS", "transformer"),
    Entry("gramian.manifold.Isomap", "transformer"),
    Entry("gramian.manifold.MDS", "transformer"),
    Entry("gramian.manifold.SpectralEmbedding", "embedding"),
    Entry("gramian.mixture.GaussianMixture", "density"),
    Entry("gramian.multiclass.OneVsOneClassifier", "classifier"),
    Entry("gramian.multiclass.OneVsRestClassifier", "classifier"),
    Entry("gramian.multiclass.PairwiseClassifier", "classifier"),
    Entry("gramian.multilabel.BRkNN", "classifier"),
    Entry("gramian.multilabel.BinaryRelevance", "classifier"),
    Entry("gramian.multilabel.CalibratedLabelRanking", "classifier"),
    Entry("gramian.multilabel.EnsembleOfClassifierChains", "classifier"),
    Entry("gramian.multilabel.HOMER", "classifier"),
    Entry("gramian.multilabel.LabelPartitioner", "classifier"),
    Entry("gramian.multilabel.LabelPowerset", "classifier"),
    Entry("gramian.multilabel.MLkNN", "classifier"),
    Entry("gramian.multilabel.PartitionedRanker", "classifier"),
    Entry("gramian.multilabel.RAkELd", "classifier"),
    Entry("gramian.multilabel.RAkELo", "classifier"),
    Entry("gramian.multioutput.ClassifierChain", "classifier"),
    Entry("gramian.naive_bayes.BernoulliNB", "classifier"),
    Entry("gramian.naive_bayes.CategoricalNB", "classifier"),
    Entry("gramian.naive_bayes.ComplementNB", "classifier"),
    Entry("gramian.naive_bayes.GaussianNB", "classifier"),
    Entry("gramian.naive_bayes.MixedNB", "classifier"),
    Entry("gramian.naive_bayes.MultinomialNB", "classifier"),
    Entry("gramian.naive_bayes.PoissonNB", "classifier"),
    Entry("gramian.neighbors.HistogramDensity", "density"),
    Entry("gramian.neighbors.KNeighborsClassifier", "classifier"),
    Entry("gramian.neighbors.KNeighborsDensity", "density"),
    Entry("gramian.neighbors.KNeighborsRegressor", "regressor"),
    Entry("gramian.neighbors.KernelDensity", "density"),
    Entry("gramian.neighbors.KernelDensityClassifier", "classifier"),
    Entry("gramian.neighbors.KernelRegressor", "regressor"),
    Entry("gramian.neighbors.LSHNeighbors", "neighbors"),
    Entry("gramian.neighbors.NearestCentroid", "classifier"),
    Entry("gramian.neighbors.NearestNeighbors", "neighbors"),
    Entry("gramian.neighbors.RadiusNeighborsClassifier", "classifier"),
    Entry("gramian.neighbors.RadiusNeighborsRegressor", "regressor"),
    Entry("gramian.neighbors.SmoothingSpline", "regressor"),
    Entry("gramian.neural_network.Autoencoder", "transformer"),
    Entry("gramian.neural_network.ConvClassifier", "classifier"),
    Entry("gramian.neural_network.ConvRegressor", "regressor"),
    Entry("gramian.neural_network.DenoisingAutoencoder", "transformer"),
    Entry("gramian.neural_network.MLPClassifier", "classifier"),
    Entry("gramian.neural_network.MLPRegressor", "regressor"),
    Entry("gramian.neural_network.StackedDenoisingAutoencoder", "transformer"),
    Entry("gramian.neural_network.StackedDenoisingClassifier", "classifier"),
    Entry("gramian.preprocessing.BasisFeatures", "transformer"),
    Entry("gramian.preprocessing.ParabolicLift", "transformer"),
    Entry("gramian.preprocessing.QuadricFeatures", "transformer"),
    Entry("gramian.preprocessing.RandomFeatures", "transformer"),
    Entry("gramian.preprocessing.Whitener", "transformer"),
    Entry("gramian.random_projection.GaussianRandomProjection", "transformer"),
    Entry("gramian.random_projection.OrthonormalRandomProjection", "transformer"),
    Entry("gramian.random_projection.SparseRandomProjection", "transformer"),
    Entry("gramian.svm.LinearSVC", "classifier"),
    Entry("gramian.svm.LinearSVR", "regressor"),
    Entry("gramian.svm.NuSVC", "classifier"),
    Entry("gramian.svm.NuSVR", "regressor"),
    Entry("gramian.svm.OneClassSVM", "outlier"),
    Entry("gramian.svm.SVC", "classifier"),
    Entry("gramian.svm.SVCGridCV", "classifier"),
    Entry("gramian.svm.SVR", "regressor"),
    Entry("gramian.tree.C45Classifier", "classifier"),
    Entry("gramian.tree.DecisionTreeClassifier", "classifier"),
    Entry("gramian.tree.DecisionTreeRegressor", "regressor"),
    Entry("gramian.tree.ModelTreeRegressor", "regressor"),
    Entry("gramian.tree.ObliqueTreeClassifier", "classifier"),
    Entry("gramian.tree.ObliqueTreeRegressor", "regressor"),
)

# Records: frozen dataclasses of plain values that a fitted estimator may contain. A model file
# names one by its `record_name`, which never changes, unlike the module of the class. Constructors
# check their arguments, so that a file cannot contain values that `fit` would not produce.
RECORDS: dict[str, str] = {
    "additive_chi_squared_kernel": "gramian.kernels.AdditiveChiSquared",
    "batch_norm_layer": "gramian.neural_network.BatchNorm",
    "boosted_trees": "gramian.ensemble.hist_boosting.boosted_trees.BoostedTrees",
    "chi_squared_kernel": "gramian.kernels.ChiSquared",
    "column_models": "gramian.multilabel.common.column_models.ColumnModels",
    "constant_kernel": "gramian.kernels.Constant",
    "constant_label": "gramian.multiclass.constant_label.ConstantLabel",
    "conv_layer": "gramian.neural_network.Conv",
    "cosine_kernel": "gramian.kernels.Cosine",
    "dense_layer": "gramian.neural_network.Dense",
    "dropout_layer": "gramian.neural_network.Dropout",
    "filter_bank": "gramian.neural_network.FilterBank",
    "forest": "gramian.tree.Forest",
    "initial_model": "gramian.ensemble.gradient_boosting.initial_model.InitialModel",
    "label_hierarchy": "gramian.multilabel.LabelHierarchy",
    "laplacian_kernel": "gramian.kernels.Laplacian",
    "linear_kernel": "gramian.kernels.Linear",
    "locally_connected_layer": "gramian.neural_network.LocallyConnected",
    "polynomial_kernel": "gramian.kernels.Polynomial",
    "pool_layer": "gramian.neural_network.Pool",
    "precomputed_kernel": "gramian.kernels.Precomputed",
    "product_kernel": "gramian.kernels.Product",
    "rbf_kernel": "gramian.kernels.RBF",
    "sigmoid_kernel": "gramian.kernels.Sigmoid",
    "sum_kernel": "gramian.kernels.Sum",
    "tree": "gramian.tree.Tree",
}

# Models that are not estimators, by the name of their class. A model file may hold them by
# themselves or in an estimator. Like the records they are made by their constructor, from the
# fields of a dataclass or from what `constructor_arguments` returns. Files may also name the class
# of a distribution, which is a parameter of some estimators.
DISTRIBUTIONS: dict[str, str] = {
    name: f"gramian.distributions.{name}"
    for name in (
        "Bernoulli",
        "Beta",
        "BetaBinomial",
        "Binomial",
        "Categorical",
        "ChiSquared",
        "Dirichlet",
        "DirichletMultinomial",
        "Empirical",
        "Exponential",
        "Gamma",
        "Gaussian",
        "InverseGamma",
        "InverseWishart",
        "Mixture",
        "Multinomial",
        "MultivariateGaussian",
        "MultivariateStudentT",
        "NegativeBinomial",
        "NormalInverseWishart",
        "Poisson",
        "StudentT",
        "Uniform",
    )
}
MODELS: dict[str, str] = {
    **DISTRIBUTIONS,
    "BayesianNetwork": "gramian.graphical_model.BayesianNetwork",
    "DirectedGraph": "gramian.graphical_model.DirectedGraph",
    "MarkovChain": "gramian.graphical_model.MarkovChain",
}


def entry(name: str) -> Entry | None:
    """Return the entry for a class name, or None."""
    return next((e for e in ESTIMATORS if e.name == name), None)


def entry_of(cls: type) -> Entry | None:
    """Return the entry for a class, or None if it is not in the catalogue."""
    named = next((e for e in ESTIMATORS if e.name == cls.__name__), None)
    return named if named is not None and named.resolve() is cls else None
