// Gradient boosting: bins, gradients, trees.
#include "bind/boosting.hpp"
#include "core/boost/gradients.hpp"
#include "core/boost/iteration.hpp"
#include "core/boost/stump.hpp"
#include "core/boost/weights.hpp"

#include <stdexcept>

namespace gramian::bind {
namespace {

losses::Loss boost_named(const std::string& name) {
    using enum losses::Loss;
    const losses::Loss loss = losses::loss_named(name);
    for (const losses::Loss one :
         {squared, absolute, quantile, poisson, gamma, logistic, exponential, softmax}) {
        if (loss == one) return loss;
    }
    throw std::invalid_argument("boosting does not support the loss " + name);
}

void bind_settings(nb::module_& m) {
    nb::class_<BinnedColumns>(m, "BinnedColumns", "Columns of 8-bit codes that trees are grown on.")
        .def(nb::init<const In3<std::uint8_t>&, const In1<std::int32_t>&, const In1<std::uint8_t>&,
                      const In1<std::uint8_t>&, const In1<std::uint8_t>&, const In1<std::int8_t>&,
                      const Sets&>(),
             "codes"_a.noconvert(), "n_bins"_a.noconvert(), "missing_code"_a.noconvert(),
             "has_missing"_a.noconvert(), "categorical"_a.noconvert(), "monotone"_a.noconvert(),
             "sets"_a.noconvert());
    nb::class_<boost::Options>(m, "BoostingOptions", "Limits of a tree of gradient boosting.")
        .def(
            "__init__",
            [](boost::Options* self, Index max_leaves, Index max_depth, Index min_samples_leaf,
               double l2, double max_features) {
                require(max_leaves >= 0 && max_depth >= 0 && min_samples_leaf >= 1, "limits");
                new (self)
                    boost::Options{max_leaves, max_depth, min_samples_leaf, l2, 1e-3, max_features};
            },
            nb::kw_only(), "max_leaves"_a, "max_depth"_a, "min_samples_leaf"_a, "l2"_a,
            "max_features"_a);
}

void bind_iteration(nb::module_& m) {
    nb::class_<boost::IterationGrower>(m, "IterationGrower",
                                       "Grows one tree per score, in parallel.")
        .def(
            "__init__",
            [](boost::IterationGrower* self, const BinnedColumns& table,
               const boost::Options& options, Index scores) {
                require(scores >= 1, "at least one score");
                new (self) boost::IterationGrower(table.codes(), table.rows(), table.columns(),
                                                  options, scores);
            },
            "columns"_a, "options"_a, "scores"_a, nb::keep_alive<1, 2>(), Release())
        .def(
            "grow",
            [](boost::IterationGrower& self, const In2<float>& gradient,
               const std::optional<In2<float>>& hessian, bool damped, std::uint64_t seed,
               std::uint64_t first_tree, double rate, const Out2<double>& score) {
                const Index scores = self.scores(), rows = self.rows();
                const auto fits = [&](const auto& a) {
                    return length(a) == scores && static_cast<Index>(a.shape(1)) == rows;
                };
                require(fits(gradient) && (!hessian || fits(*hessian)) && fits(score),
                        "gradients, curvatures and scores of shape (scores, rows)");
                {
                    const GilRelease release;
                    self.grow(gradient.data(), hessian ? hessian->data() : nullptr, damped, seed,
                              first_tree, rate, score.data());
                }
                std::vector<Index> n_nodes;
                for (Index k = 0; k < scores; ++k) {
                    n_nodes.push_back(static_cast<Index>(self.nodes(k).size()));
                }
                return n_nodes;
            },
            "gradient"_a.noconvert(), "hessian"_a.noconvert().none(), "damped"_a, "seed"_a,
            "first_tree"_a, "rate"_a, "score"_a.noconvert(),
            "Grow a tree per score, add rate times its values to the scores, and return the trees' "
            "numbers\nof nodes.")
        .def(
            "nodes",
            [](const boost::IterationGrower& self, Index score, const Out2<std::int32_t>& structure,
               const Out2<double>& sums, const Out2<std::uint64_t>& left) {
                require(score >= 0 && score < self.scores(), "a score");
                write_nodes(self.nodes(score), structure, sums, left);
            },
            "score"_a, "structure"_a.noconvert(), "sums"_a.noconvert(), "left"_a.noconvert(),
            kNodesDoc);
}

void bind_grower(nb::module_& m) {
    nb::class_<boost::TreeGrower>(m, "TreeGrower",
                                  "Grows trees of gradient boosting over one table of codes.")
        .def(
            "__init__",
            [](boost::TreeGrower* self, const BinnedColumns& table, const boost::Options& options) {
                new (self) boost::TreeGrower(table.codes(), table.rows(), table.columns(), options);
            },
            "columns"_a, "options"_a, nb::keep_alive<1, 2>(), Release())
        .def(
            "grow",
            [](boost::TreeGrower& self, const In1<float>& gradient,
               const std::optional<In1<float>>& hessian, bool damped, std::uint64_t seed,
               std::uint64_t tree) {
                require(length(gradient) == self.rows() &&
                            (!hessian || length(*hessian) == self.rows()),
                        "a gradient and a curvature per row");
                const GilRelease release;
                self.grow(gradient.data(), hessian ? hessian->data() : nullptr, damped, seed, tree);
                return self.nodes().size();
            },
            "gradient"_a.noconvert(), "hessian"_a.noconvert().none(), "damped"_a, "seed"_a,
            "tree"_a,
            "Grow a tree and return its number of nodes. The curvature is 1 where hessian is None; "
            "damped\nshortens long steps.")
        .def(
            "nodes",
            [](const boost::TreeGrower& self, const Out2<std::int32_t>& structure,
               const Out2<double>& sums, const Out2<std::uint64_t>& left) {
                write_nodes(self.nodes(), structure, sums, left);
            },
            "structure"_a.noconvert(), "sums"_a.noconvert(), "left"_a.noconvert(), kNodesDoc)
        .def(
            "add",
            [](const boost::TreeGrower& self, const In1<double>& values,
               const Out1<double>& score) {
                require(length(values) == static_cast<Index>(self.nodes().size()) &&
                            length(score) == self.rows(),
                        "a value per node, a score per row");
                const GilRelease release;
                self.add(values.data(), score.data());
            },
            "values"_a.noconvert(), "score"_a.noconvert(),
            "Add to each row's score the value of its leaf.")
        .def(
            "leaves",
            [](const boost::TreeGrower& self, const Out1<std::int32_t>& leaf) {
                require(length(leaf) == self.rows(), "a leaf per row");
                const GilRelease release;
                self.leaves(leaf.data());
            },
            "leaf"_a.noconvert(), "Write the node of each row's leaf.")
        .def(
            "leaf_quantiles",
            [](const boost::TreeGrower& self, const In1<double>& residual, const Weights& weights,
               double q, const Out1<double>& values) {
                require(length(residual) == self.rows() &&
                            (!weights || length(*weights) == self.rows()) &&
                            length(values) == static_cast<Index>(self.nodes().size()),
                        "a residual and a weight per row, a value per node");
                const GilRelease release;
                self.leaf_quantiles(residual.data(), weights ? weights->data() : nullptr, q,
                                    values.data());
            },
            "residual"_a.noconvert(), "weights"_a.noconvert().none(), "q"_a, "values"_a.noconvert(),
            "Write each leaf's q-quantile of the residuals of its rows.");
}

} // namespace

void bind_boosting(nb::module_& m) {
    bind_settings(m);
    bind_grower(m);
    bind_iteration(m);
    bind_distributed_boosting(m);
    m.def(
        "boost_gradients",
        [](const std::string& loss, double q, const In1<double>& y, const Weights& weights,
           const In2<double>& z, const Out2<float>& gradient,
           const std::optional<Out2<float>>& hessian) {
            const Index n = length(y);
            const losses::Loss which = boost_named(loss);
            require(static_cast<Index>(z.shape(1)) == n && (!weights || length(*weights) == n) &&
                        gradient.shape(0) == z.shape(0) && gradient.shape(1) == z.shape(1) &&
                        (!hessian ||
                         (hessian->shape(0) == z.shape(0) && hessian->shape(1) == z.shape(1))),
                    "scores, gradients and curvatures of shape (classes, rows)");
            require(which == losses::Loss::softmax ? hessian.has_value() : length(z) == 1,
                    "one row of scores, or softmax with curvatures");
            const GilRelease release;
            boost::loss_gradients(which, q, view<double>(y), weights ? weights->data() : nullptr,
                                  view<double>(z), gradient.data(),
                                  hessian ? hessian->data() : nullptr);
        },
        "loss"_a, "q"_a, "y"_a.noconvert(), "weights"_a.noconvert().none(), "z"_a.noconvert(),
        "gradient"_a.noconvert(), "hessian"_a.noconvert().none(),
        "Write the loss's first and second derivatives by the scores.");
}

} // namespace gramian::bind
