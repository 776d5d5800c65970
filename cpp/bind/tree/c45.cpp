// C4.5: growth and pruning of a tree, and its conversion to and from flat arrays.
#include "core/c45/tree.hpp"

#include "bind/arrays.hpp"
#include "core/runtime/check.hpp"

#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace gramian::bind {
namespace {

using In32 = In1<std::int32_t>;
using Ranks = In2<std::int32_t>;
using Starts = In1<std::int64_t>;

// The table with the arrays that it refers to.
struct RankedTable {
    RankedTable(const Ranks& ranks, const In1<double>& values, const Starts& starts,
                const In32& levels, const In32& labels, const In1<double>& weights, Index n_classes)
        : arrays(ranks, values, starts, levels, labels, weights), table{view<std::int32_t>(ranks),
                                                                        view<double>(values),
                                                                        view<std::int64_t>(starts),
                                                                        view<std::int32_t>(levels),
                                                                        view<std::int32_t>(labels),
                                                                        view<double>(weights),
                                                                        n_classes} {
        const bool fits =
            table.levels.size == table.ranks.rows && table.starts.size == table.ranks.rows + 1 &&
            table.labels.size == table.ranks.cols && table.weights.size == table.ranks.cols &&
            table.starts[table.ranks.rows] == table.values.size;
        require(fits, "c45: the arrays of the table do not fit together");
        runtime::require_rows_in_32_bits(table.labels.size, "C4.5");
    }

    std::tuple<Ranks, In1<double>, Starts, In32, In32, In1<double>> arrays;
    c45::Table table;
};

c45::Estimate estimate_of(int formula, double confidence, double z) {
    return {static_cast<c45::Estimate::Formula>(formula), confidence, z};
}

Index count_bits(const c45::Tree& tree) {
    Index words = 0;
    for (const std::int32_t at : tree.by_level()) {
        words += static_cast<Index>(tree.nodes[static_cast<std::size_t>(at)].bits.size());
    }
    return words;
}

void write(const c45::Tree& tree, const Out2<std::int32_t>& tests, const Out1<double>& thresholds,
           const Out1<std::uint64_t>& bits, const Out1<std::int64_t>& samples,
           const Out2<double>& counts) {
    const auto order = tree.by_level();
    std::int32_t next = 1, word = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const c45::Node& node = tree.nodes[static_cast<std::size_t>(order[i])];
        const auto at = static_cast<Index>(i);
        const auto n_children = static_cast<std::int32_t>(node.children.size());
        std::int32_t* test = view<std::int32_t>(tests).row(at);
        test[0] = node.is_leaf() ? 0 : next;
        test[1] = n_children;
        test[2] = static_cast<std::int32_t>(node.kind);
        test[3] = node.feature;
        test[4] = node.missing;
        test[5] = word;
        view<double>(thresholds)[at] = node.kind == tree::NodeKind::number
                                           ? node.threshold
                                           : std::numeric_limits<double>::quiet_NaN();
        view<std::int64_t>(samples)[at] = node.samples;
        std::copy(node.bits.begin(), node.bits.end(), bits.data() + word);
        std::copy(node.counts.begin(), node.counts.end(), view<double>(counts).row(at));
        next += n_children;
        word += static_cast<std::int32_t>(node.bits.size());
    }
}

c45::Tree read(const In2<std::int32_t>& tests, const In1<double>& thresholds,
               const In1<std::uint64_t>& bits, const In32& bit_counts,
               const In1<std::int64_t>& samples, const In2<double>& counts) {
    const auto rows = view<std::int32_t>(tests);
    c45::Tree tree{std::vector<c45::Node>(static_cast<std::size_t>(rows.rows)),
                   static_cast<Index>(counts.shape(1))};
    for (Index at = 0; at < rows.rows; ++at) {
        c45::Node& node = tree.nodes[static_cast<std::size_t>(at)];
        const std::int32_t* test = rows.row(at);
        node.kind = static_cast<tree::NodeKind>(test[2]);
        node.feature = test[3];
        node.missing = test[4];
        node.threshold = thresholds.data()[at];
        node.samples = samples.data()[at];
        const std::uint64_t* first = bits.data() + test[5];
        node.bits.assign(first, first + bit_counts.data()[at]);
        const double* row = view<double>(counts).row(at);
        node.counts.assign(row, row + tree.n_classes);
        for (std::int32_t b = 0; b < test[1]; ++b) node.children.push_back(test[0] + b);
    }
    return tree;
}

} // namespace

void bind_c45(nb::module_& m) {
    nb::class_<c45::Tree>(m, "C45Tree", "Nodes of a tree that is grown and pruned.")
        .def(
            "sizes",
            [](const c45::Tree& tree) {
                return std::make_tuple(static_cast<Index>(tree.by_level().size()),
                                       count_bits(tree));
            },
            "Numbers of nodes and of words of bits.")
        .def("write", &write, "tests"_a.noconvert(), "thresholds"_a.noconvert(),
             "bits"_a.noconvert(), "samples"_a.noconvert(), "counts"_a.noconvert(),
             "Fill arrays, a row per node; a test is (first child, children, kind, feature, branch "
             "of a missing value, first word of bits).")
        .def("collapse", &c45::collapse, Release(),
             "Make a leaf of every node that errs no more in training than its subtree.");
    m.def("c45_read", &read, "tests"_a.noconvert(), "thresholds"_a.noconvert(),
          "bits"_a.noconvert(), "bit_counts"_a.noconvert(), "samples"_a.noconvert(),
          "counts"_a.noconvert(), "The tree of arrays as `write` fills them.");
    nb::class_<RankedTable>(m, "C45Table",
                            "Ranked columns, labels and weights to grow and prune by.")
        .def(nb::init<const Ranks&, const In1<double>&, const Starts&, const In32&, const In32&,
                      const In1<double>&, Index>(),
             "ranks"_a.noconvert(), "values"_a.noconvert(), "starts"_a.noconvert(),
             "levels"_a.noconvert(), "labels"_a.noconvert(), "weights"_a.noconvert(),
             "n_classes"_a);
    m.def(
        "c45_grow",
        [](const RankedTable& table, double min_leaf, double gap, bool correction, bool binary,
           Index max_depth) {
            return c45::grow(table.table, {min_leaf, gap, correction, binary, max_depth});
        },
        "table"_a, nb::kw_only(), "min_leaf"_a, "gap"_a, "correction"_a, "binary"_a, "max_depth"_a,
        Release(), "Grow a tree by gain ratio.");
    m.def(
        "c45_prune",
        [](c45::Tree& tree, const RankedTable& table, int formula, double confidence, double z,
           bool raising) {
            c45::prune(tree, table.table, estimate_of(formula, confidence, z), raising);
        },
        "tree"_a, "table"_a, "formula"_a, "confidence"_a, "z"_a, "raising"_a, Release(),
        "Replace subtrees by leaves or by their largest branch where the estimate says so.");
    m.def(
        "c45_estimate",
        [](double n, double e, int formula, double confidence, double z) {
            return estimate_of(formula, confidence, z)(n, e);
        },
        "n"_a, "e"_a, "formula"_a, "confidence"_a, "z"_a,
        "Errors that a leaf of n cases, e of them wrong, is expected to make.");
}

} // namespace gramian::bind
