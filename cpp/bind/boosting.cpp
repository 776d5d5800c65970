// Gradient boosting: bins, gradients, trees.
#include "bind/codes.hpp"
#include "core/boost/bins.hpp"
#include "core/boost/gradients.hpp"
#include "core/boost/grower.hpp"
#include "core/boost/iteration.hpp"
#include "core/boost/stump.hpp"
#include "core/boost/weights.hpp"

#include <memory>
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
    throw std::invalid_argument("no boosting of the loss " + name);
}

// A grower with the arrays it reads.
template <typename G>
struct Keeping {
    nb::list arrays;
    std::unique_ptr<G> grower;
};
using Grower = Keeping<boost::TreeGrower>;
using Iteration = Keeping<boost::IterationGrower>;

// What both kinds of grower are made from.
struct Binned {
    In3<std::uint8_t> codes;
    In1<std::int32_t> n_bins;
    In1<std::uint8_t> missing_code, has_missing, categorical;
    In1<std::int8_t> monotone;
    In1<Index> set_starts;
    In1<std::int32_t> set_members;

    Index rows() const { return static_cast<Index>(codes.shape(1)); }

    boost::GrowColumns columns() const {
        const Index d = length(n_bins);
        require(codes.shape(2) == boost::kGroup && length(codes) == boost::groups_of(d) &&
                    length(missing_code) == boost::groups_of(d) && length(has_missing) == d &&
                    length(categorical) == d && length(monotone) == d,
                "codes of shape (groups, rows, 8), an entry per column");
        boost::GrowColumns columns{d,
                                   n_bins.data(),
                                   missing_code.data(),
                                   has_missing.data(),
                                   categorical.data(),
                                   monotone.data(),
                                   {},
                                   {}};
        for (Index s = 0; s < length(set_starts); ++s) {
            require(set_starts.data()[s] >= (s ? set_starts.data()[s - 1] : 0) &&
                        set_starts.data()[s] <= length(set_members),
                    "rising starts of sets");
            columns.set_starts.push_back(set_starts.data()[s]);
        }
        for (Index i = 0; i < length(set_members); ++i) {
            require(set_members.data()[i] >= 0 && set_members.data()[i] < d, "columns");
            columns.set_members.push_back(set_members.data()[i]);
        }
        return columns;
    }

    nb::list arrays() const {
        nb::list kept;
        for (const nb::object& array :
             {nb::cast(codes), nb::cast(n_bins), nb::cast(missing_code), nb::cast(has_missing),
              nb::cast(categorical), nb::cast(monotone)}) {
            kept.append(array);
        }
        return kept;
    }
};

boost::Options options_of(Index max_leaves, Index max_depth, Index min_samples_leaf, double l2,
                          double max_features) {
    require(max_leaves >= 0 && max_depth >= 0 && min_samples_leaf >= 1, "limits");
    return {max_leaves, max_depth, min_samples_leaf, l2, 1e-3, max_features};
}

void write_nodes(const std::vector<boost::GrownNode>& nodes, const Out2<std::int32_t>& links,
                 const Out2<double>& sums, const Out2<std::uint64_t>& left) {
    const Index n = static_cast<Index>(nodes.size());
    require(length(links) == n && links.shape(1) == 5 && length(sums) == n && sums.shape(1) == 5 &&
                length(left) == n && left.shape(1) == 4,
            "links (nodes, 5), sums (nodes, 5), left (nodes, 4)");
    for (Index k = 0; k < n; ++k) {
        const boost::GrownNode& node = nodes[k];
        std::int32_t* link = links.data() + 5 * k;
        link[0] = node.first_child;
        link[1] = node.feature;
        link[2] = node.slot;
        link[3] = node.missing_left;
        link[4] = node.by_category;
        double* sum = sums.data() + 5 * k;
        sum[0] = node.value;
        sum[1] = node.gradient;
        sum[2] = node.hessian;
        sum[3] = static_cast<double>(node.count);
        sum[4] = node.squares;
        for (int w = 0; w < 4; ++w) left.data()[4 * k + w] = node.left[w];
    }
}

constexpr const char* kNodesDoc =
    "Write per node: first child, feature, slot, whether missing values go left, whether it "
    "splits\nby category; value, sums of gradients, curvatures, rows and squared gradients; the "
    "set of\nslots that go left.";

void bind_iteration(nb::module_& m) {
    nb::class_<Iteration>(m, "TurnGrower", "Grows one tree per score, side by side.")
        .def(
            "__init__",
            [](Iteration* self, const In3<std::uint8_t>& codes, const In1<std::int32_t>& n_bins,
               const In1<std::uint8_t>& missing_code, const In1<std::uint8_t>& has_missing,
               const In1<std::uint8_t>& categorical, const In1<std::int8_t>& monotone,
               const In1<Index>& set_starts, const In1<std::int32_t>& set_members, Index max_leaves,
               Index max_depth, Index min_samples_leaf, double l2, double max_features,
               Index scores) {
                const Binned table{codes,       n_bins,   missing_code, has_missing,
                                   categorical, monotone, set_starts,   set_members};
                require(scores >= 1, "at least one score");
                auto grower = std::make_unique<boost::IterationGrower>(
                    codes.data(), table.rows(), table.columns(),
                    options_of(max_leaves, max_depth, min_samples_leaf, l2, max_features), scores);
                new (self) Iteration{table.arrays(), std::move(grower)};
            },
            "codes"_a.noconvert(), "n_bins"_a.noconvert(), "missing_code"_a.noconvert(),
            "has_missing"_a.noconvert(), "categorical"_a.noconvert(), "monotone"_a.noconvert(),
            "set_starts"_a.noconvert(), "set_members"_a.noconvert(), "max_leaves"_a, "max_depth"_a,
            "min_samples_leaf"_a, "l2"_a, "max_features"_a, "scores"_a)
        .def(
            "grow",
            [](Iteration& self, const In2<float>& gradient,
               const std::optional<In2<float>>& hessian, bool careful, std::uint64_t seed,
               std::uint64_t first_tree, double rate, const Out2<double>& score) {
                const Index scores = self.grower->scores(), rows = self.grower->rows();
                const auto fits = [&](const auto& a) {
                    return length(a) == scores && static_cast<Index>(a.shape(1)) == rows;
                };
                require(fits(gradient) && (!hessian || fits(*hessian)) && fits(score),
                        "gradients, curvatures and scores of shape (scores, rows)");
                {
                    const nb::gil_scoped_release release;
                    self.grower->grow(gradient.data(), hessian ? hessian->data() : nullptr, careful,
                                      seed, first_tree, rate, score.data());
                }
                std::vector<Index> n_nodes;
                for (Index k = 0; k < scores; ++k) {
                    n_nodes.push_back(static_cast<Index>(self.grower->nodes(k).size()));
                }
                return n_nodes;
            },
            "gradient"_a.noconvert(), "hessian"_a.noconvert().none(), "careful"_a, "seed"_a,
            "first_tree"_a, "rate"_a, "score"_a.noconvert(),
            "Grow a tree per score, add rate times its values to the scores, and return the trees' "
            "numbers\nof nodes.")
        .def(
            "nodes",
            [](const Iteration& self, Index score, const Out2<std::int32_t>& links,
               const Out2<double>& sums, const Out2<std::uint64_t>& left) {
                require(score >= 0 && score < self.grower->scores(), "a score");
                write_nodes(self.grower->nodes(score), links, sums, left);
            },
            "score"_a, "links"_a.noconvert(), "sums"_a.noconvert(), "left"_a.noconvert(),
            kNodesDoc);
}

void bind_grower(nb::module_& m) {
    nb::class_<Grower>(m, "TreeGrower", "Grows trees of gradient boosting over one table of codes.")
        .def(
            "__init__",
            [](Grower* self, const In3<std::uint8_t>& codes, const In1<std::int32_t>& n_bins,
               const In1<std::uint8_t>& missing_code, const In1<std::uint8_t>& has_missing,
               const In1<std::uint8_t>& categorical, const In1<std::int8_t>& monotone,
               const In1<Index>& set_starts, const In1<std::int32_t>& set_members, Index max_leaves,
               Index max_depth, Index min_samples_leaf, double l2, double max_features) {
                const Binned table{codes,       n_bins,   missing_code, has_missing,
                                   categorical, monotone, set_starts,   set_members};
                auto grower = std::make_unique<boost::TreeGrower>(
                    codes.data(), table.rows(), table.columns(),
                    options_of(max_leaves, max_depth, min_samples_leaf, l2, max_features));
                new (self) Grower{table.arrays(), std::move(grower)};
            },
            "codes"_a.noconvert(), "n_bins"_a.noconvert(), "missing_code"_a.noconvert(),
            "has_missing"_a.noconvert(), "categorical"_a.noconvert(), "monotone"_a.noconvert(),
            "set_starts"_a.noconvert(), "set_members"_a.noconvert(), "max_leaves"_a, "max_depth"_a,
            "min_samples_leaf"_a, "l2"_a, "max_features"_a)
        .def(
            "grow",
            [](Grower& self, const In1<float>& gradient, const std::optional<In1<float>>& hessian,
               bool careful, std::uint64_t seed, std::uint64_t tree) {
                require(length(gradient) == self.grower->rows() &&
                            (!hessian || length(*hessian) == self.grower->rows()),
                        "a gradient and a curvature per row");
                const nb::gil_scoped_release release;
                self.grower->grow(gradient.data(), hessian ? hessian->data() : nullptr, careful,
                                  seed, tree);
                return self.grower->nodes().size();
            },
            "gradient"_a.noconvert(), "hessian"_a.noconvert().none(), "careful"_a, "seed"_a,
            "tree"_a,
            "Grow a tree and return its number of nodes. The curvature is 1 where hessian is None; "
            "careful\nshortens long steps.")
        .def(
            "nodes",
            [](const Grower& self, const Out2<std::int32_t>& links, const Out2<double>& sums,
               const Out2<std::uint64_t>& left) {
                write_nodes(self.grower->nodes(), links, sums, left);
            },
            "links"_a.noconvert(), "sums"_a.noconvert(), "left"_a.noconvert(), kNodesDoc)
        .def(
            "add",
            [](const Grower& self, const In1<double>& values, const Out1<double>& score) {
                require(length(values) == static_cast<Index>(self.grower->nodes().size()) &&
                            length(score) == self.grower->rows(),
                        "a value per node, a score per row");
                const nb::gil_scoped_release release;
                self.grower->add(values.data(), score.data());
            },
            "values"_a.noconvert(), "score"_a.noconvert(),
            "Add to each row's score the value of its leaf.")
        .def(
            "leaves",
            [](const Grower& self, const Out1<std::int32_t>& leaf) {
                require(length(leaf) == self.grower->rows(), "a leaf per row");
                const nb::gil_scoped_release release;
                self.grower->leaves(leaf.data());
            },
            "leaf"_a.noconvert(), "Write the node of each row's leaf.")
        .def(
            "leaf_quantiles",
            [](const Grower& self, const In1<double>& residual, const Weights& weights, double q,
               const Out1<double>& values) {
                require(length(residual) == self.grower->rows() &&
                            (!weights || length(*weights) == self.grower->rows()) &&
                            length(values) == static_cast<Index>(self.grower->nodes().size()),
                        "a residual and a weight per row, a value per node");
                const nb::gil_scoped_release release;
                self.grower->leaf_quantiles(residual.data(), weights ? weights->data() : nullptr, q,
                                            values.data());
            },
            "residual"_a.noconvert(), "weights"_a.noconvert().none(), "q"_a, "values"_a.noconvert(),
            "Write each leaf's q-quantile of the residuals of its rows.");
}

} // namespace

void bind_boosting(nb::module_& m) {
    bind_grower(m);
    bind_iteration(m);
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
            const nb::gil_scoped_release release;
            boost::loss_gradients(which, q, view<double>(y), weights ? weights->data() : nullptr,
                                  view<double>(z), gradient.data(),
                                  hessian ? hessian->data() : nullptr);
        },
        "loss"_a, "q"_a, "y"_a.noconvert(), "weights"_a.noconvert().none(), "z"_a.noconvert(),
        "gradient"_a.noconvert(), "hessian"_a.noconvert().none(),
        "Write the loss's first and second derivatives by the scores.");
}

} // namespace gramian::bind
