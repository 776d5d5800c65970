#include "core/tree/walk.hpp"

#include "core/gate/finite.hpp"
#include "core/runtime/check.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace gramian::tree {
namespace {

constexpr Index kFewestRows = 512, kMostRows = 8192; // of a block
constexpr std::uint32_t kShortFeatures = 1 << 12; // and so many nodes of a tree fit a short node:
constexpr Index kShortTree = 1 << 20;
constexpr int kInterleaved = 12; // rows that descend together, so that their loads overlap

// Rows of a block, which descends one tree after the other. A tree is read from memory once per
// block, so a block has as many rows as fit in the cache; but there are blocks for every thread,
// and none takes long.
Index rows_per_block(Index rows, Index bytes_per_row, Index trees) {
    constexpr Index kMegabyte = Index{1} << 20;
    const Index most = std::min(kMegabyte / bytes_per_row, kMegabyte / trees);
    return std::max(kFewestRows, std::min(rows / 8, std::min(kMostRows, most)));
}

// Moves rows from the root until step(x, node) moves none of them. A leaf is its own child, so only
// every fourth step has to check.
template <typename T, typename Step>
void side_by_side(Matrix<const T> X, Index begin, Index end, std::int32_t root, std::int32_t* leaf,
                  Step step) {
    Index i = begin;
    for (; i + kInterleaved <= end; i += kInterleaved) {
        std::int32_t at[kInterleaved];
        const T* x[kInterleaved];
        for (int r = 0; r < kInterleaved; ++r) {
            at[r] = root;
            x[r] = X.row(i + r);
        }
        std::int32_t moved;
        do {
            for (int k = 0; k < 3; ++k) {
                for (int r = 0; r < kInterleaved; ++r) at[r] = step(x[r], at[r]);
            }
            moved = 0;
            for (int r = 0; r < kInterleaved; ++r) {
                const std::int32_t next = step(x[r], at[r]);
                moved |= next ^ at[r];
                at[r] = next;
            }
        } while (moved);
        for (int r = 0; r < kInterleaved; ++r) leaf[i - begin + r] = at[r];
    }
    for (; i < end; ++i) {
        std::int32_t at = root;
        for (std::int32_t next; (next = step(X.row(i), at)) != at;) at = next;
        leaf[i - begin] = at;
    }
}

int threads_for_rows(Index rows, Index trees) {
    return rows * trees < 4096 ? 1 : 0;
}

} // namespace

// The child of value x; -1 for all children, unless `one_child`.
Index Walk::go(Index node, double x, bool one_child) const {
    const Categories& c = categories_[node];
    const Node& n = nodes_[node];
    const Index levels = levels_[n.feature & ~kMissingGoesFirst];
    bool known = x == x;
    Index child = 0;
    if (static_cast<NodeKind>(c.kind) == NodeKind::number) {
        child = !(x <= n.threshold);
    } else {
        known = known && x >= 0 && x < static_cast<double>(levels);
        const Index code = known ? static_cast<Index>(x) : 0;
        child = static_cast<NodeKind>(c.kind) == NodeKind::each
                    ? code
                    : !(bits_[c.bit_start + code / 64] >> (code % 64) & 1);
    }
    if (known) return child;
    return c.missing < 0 && one_child ? c.heaviest : c.missing;
}

const Walk::ShortNode* Walk::short_nodes() const {
    short_once_([this] {
        bool fit = n_features() <= kShortFeatures;
        for (Index t = 0; t < n_trees(); ++t) fit &= roots_[t + 1] - roots_[t] < kShortTree;
        if (!fit) return;
        short_nodes_.resize(nodes_.size());
        for (Index t = 0; t < n_trees(); ++t) {
            for (Index i = roots_[t]; i < roots_[t + 1]; ++i) {
                const Node& node = nodes_[i];
                auto threshold = static_cast<float>(node.threshold);
                if (static_cast<double>(threshold) > node.threshold)
                    threshold = std::nextafter(threshold, -std::numeric_limits<float>::infinity());
                const auto child = static_cast<std::uint32_t>(node.child - roots_[t]);
                short_nodes_[i] = {threshold, child * static_cast<std::uint32_t>(kShortFeatures) |
                                                  (node.feature & ~kMissingGoesFirst)};
            }
        }
    });
    return short_nodes_.empty() ? nullptr : short_nodes_.data();
}

void Walk::descend_short(Matrix<const float> X, Index begin, Index end, Index tree,
                         std::int32_t* leaf) const {
    const ShortNode* nodes = short_nodes_.data() + roots_[tree];
    side_by_side(X, begin, end, 0, leaf, [nodes](const float* x, std::int32_t at) {
        const ShortNode node = nodes[at];
        const float value = x[node.where % kShortFeatures];
        return static_cast<std::int32_t>(node.where / kShortFeatures) + !(value <= node.threshold);
    });
    const auto root = static_cast<std::int32_t>(roots_[tree]);
    for (Index i = 0; i < end - begin; ++i) leaf[i] += root;
}

template <typename T, bool kNan>
void Walk::descend_numbers(Matrix<const T> X, Index begin, Index end, Index tree,
                           std::int32_t* leaf) const {
    const Node* nodes = nodes_.data();
    const auto root = static_cast<std::int32_t>(roots_[tree]);
    side_by_side(X, begin, end, root, leaf, [nodes](const T* x, std::int32_t at) {
        const Node& node = nodes[at];
        const std::uint32_t feature = node.feature & ~kMissingGoesFirst;
        const double value = static_cast<double>(x[feature]);
        std::int32_t right = !(value <= node.threshold);
        if constexpr (kNan) right &= !((node.feature != feature) & (value != value));
        return node.child + right;
    });
}

// One row in several trees at once; no value is missing.
template <typename T>
void Walk::descend_trees(const T* x, Index begin, Index end, std::int32_t* leaf) const {
    const Node* nodes = nodes_.data();
    for (Index t = begin; t < end; t += kInterleaved) {
        const int count = static_cast<int>(std::min<Index>(kInterleaved, end - t));
        std::int32_t at[kInterleaved];
        for (int k = 0; k < kInterleaved; ++k) {
            at[k] = static_cast<std::int32_t>(roots_[t + (k < count ? k : 0)]);
        }
        std::int32_t moved;
        do {
            moved = 0;
            for (int k = 0; k < kInterleaved; ++k) {
                const Node& node = nodes[at[k]];
                const auto value = static_cast<double>(x[node.feature & ~kMissingGoesFirst]);
                const std::int32_t next = node.child + !(value <= node.threshold);
                moved |= next ^ at[k];
                at[k] = next;
            }
        } while (moved);
        for (int k = 0; k < count; ++k) leaf[t - begin + k] = at[k];
    }
}

template <typename T>
void Walk::descend(Matrix<const T> X, Index begin, Index end, Index tree, std::int32_t* leaf,
                   bool any_nan) const {
    if (categories_.empty()) {
        if constexpr (std::is_same_v<T, float>) {
            if (!any_nan && X.rows >= kFewestRows && short_nodes())
                return descend_short(X, begin, end, tree, leaf);
        }
        return any_nan ? descend_numbers<T, true>(X, begin, end, tree, leaf)
                       : descend_numbers<T, false>(X, begin, end, tree, leaf);
    }
    for (Index i = begin; i < end; ++i) {
        Index at = roots_[tree];
        while (categories_[at].n_children > 0) {
            const double x = X(i, nodes_[at].feature & ~kMissingGoesFirst);
            at = nodes_[at].child + go(at, x, true);
        }
        leaf[i - begin] = static_cast<std::int32_t>(at);
    }
}

namespace {

// body(begin, end, whether a value is missing, room for a leaf per row) for blocks of rows.
template <typename T, typename Body>
void for_row_blocks(Matrix<const T> X, Index n_trees, int threads, const Body& body) {
    const runtime::Blocks blocks{X.rows, rows_per_block(X.rows, X.cols * sizeof(T), n_trees)};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            const Index begin = blocks.begin(b), end = blocks.end(b);
            const bool any_nan = !gate::all_finite<T>({X.row(begin), (end - begin) * X.cols});
            std::vector<std::int32_t> leaf(blocks.size);
            body(begin, end, any_nan, leaf.data());
        },
        threads);
}

} // namespace

template <typename T>
void Walk::leaves(Matrix<const T> X, Matrix<std::int32_t> out) const {
    for_row_blocks(X, n_trees(), threads_for_rows(X.rows, n_trees()),
                   [&](Index begin, Index end, bool any_nan, std::int32_t* leaf) {
                       for (Index t = 0; t < n_trees(); ++t) {
                           descend(X, begin, end, t, leaf, any_nan);
                           const auto root = static_cast<std::int32_t>(roots_[t]);
                           for (Index i = begin; i < end; ++i) out(i, t) = leaf[i - begin] - root;
                       }
                   });
}

template <typename T>
void Walk::sums(Matrix<const T> X, Matrix<const double> values, double scale,
                Matrix<double> out) const {
    const Index k = values.cols;
    if (X.rows < kInterleaved && categories_.empty() &&
        gate::all_finite<T>({X.data, X.rows * X.cols})) {
        std::vector<std::int32_t> leaf(n_trees());
        for (Index i = 0; i < X.rows; ++i) {
            descend_trees(X.row(i), 0, n_trees(), leaf.data());
            for (const std::int32_t at : leaf) {
                for (Index j = 0; j < k; ++j) out(i, j) += scale * values(at, j);
            }
        }
        return;
    }
    for_row_blocks(X, n_trees(), threads_for_rows(X.rows, n_trees()),
                   [&](Index begin, Index end, bool any_nan, std::int32_t* leaf) {
                       for (Index t = 0; t < n_trees(); ++t) {
                           descend(X, begin, end, t, leaf, any_nan);
                           for (Index i = begin; i < end; ++i) {
                               const double* value = values.row(leaf[i - begin]);
                               double* sum = out.row(i);
                               for (Index j = 0; j < k; ++j) sum[j] += scale * value[j];
                           }
                       }
                   });
}

template <typename T>
void Walk::sums_out_of_bag(Matrix<const T> X, Matrix<const double> values, Index first,
                           Matrix<const std::uint8_t> in_bag, Matrix<double> out,
                           Vector<std::int64_t> trees) const {
    const auto add_block = [&](Index begin, Index end, bool any_nan, std::int32_t* leaf) {
        std::vector<T> kept((end - begin) * X.cols); // the rows out of a tree's bag
        std::vector<Index> row(end - begin);
        for (Index t = 0; t < in_bag.rows; ++t) {
            Index n = 0;
            for (Index i = begin; i < end; ++i) {
                if (in_bag(t, i)) continue;
                std::copy_n(X.row(i), X.cols, kept.data() + n * X.cols);
                row[n++] = i;
            }
            const Matrix<const T> rows{kept.data(), n, X.cols};
            descend(rows, 0, n, first + t, leaf, any_nan);
            for (Index i = 0; i < n; ++i) {
                const double* value = values.row(leaf[i]);
                for (Index j = 0; j < values.cols; ++j) out(row[i], j) += value[j];
                ++trees[row[i]];
            }
        }
    };
    for_row_blocks(X, n_trees(), threads_for_rows(X.rows, in_bag.rows), add_block);
}

void Walk::add_fractions(const double* x, Index tree, Matrix<const double> values, double scale,
                         double* out) const {
    struct Part {
        Index node;
        double share;
    };
    std::vector<Part> waiting{{roots_[tree], scale}};
    while (!waiting.empty()) {
        const auto [node, share] = waiting.back();
        waiting.pop_back();
        const Index n_children = categories_[node].n_children;
        if (n_children == 0) {
            for (Index j = 0; j < values.cols; ++j) out[j] += share * values(node, j);
            continue;
        }
        const Index first = nodes_[node].child;
        const Index child = go(node, x[nodes_[node].feature & ~kMissingGoesFirst], false);
        if (child >= 0) {
            waiting.push_back({first + child, share});
            continue;
        }
        double total = 0;
        for (Index c = 0; c < n_children; ++c) total += weight_[first + c];
        for (Index c = n_children; c-- > 0;) {
            const double part = total > 0 ? weight_[first + c] / total : 1.0 / n_children;
            if (part > 0) waiting.push_back({first + c, share * part});
        }
    }
}

template <typename T>
void Walk::fractions(Matrix<const T> X, Matrix<const double> values, double scale,
                     Matrix<double> out) const {
    if (weight_.empty()) return sums(X, values, scale, out);
    const runtime::Blocks blocks{X.rows, 64};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            std::vector<double> x(X.cols);
            for (Index i = blocks.begin(b); i < blocks.end(b); ++i) {
                std::copy_n(X.row(i), X.cols, x.begin());
                for (Index t = 0; t < n_trees(); ++t) {
                    add_fractions(x.data(), t, values, scale, out.row(i));
                }
            }
        },
        threads_for_rows(X.rows, n_trees()));
}

template void Walk::leaves(Matrix<const float>, Matrix<std::int32_t>) const;
template void Walk::leaves(Matrix<const double>, Matrix<std::int32_t>) const;
template void Walk::sums(Matrix<const float>, Matrix<const double>, double, Matrix<double>) const;
template void Walk::sums(Matrix<const double>, Matrix<const double>, double, Matrix<double>) const;
template void Walk::sums_out_of_bag(Matrix<const float>, Matrix<const double>, Index,
                                    Matrix<const std::uint8_t>, Matrix<double>,
                                    Vector<std::int64_t>) const;
template void Walk::sums_out_of_bag(Matrix<const double>, Matrix<const double>, Index,
                                    Matrix<const std::uint8_t>, Matrix<double>,
                                    Vector<std::int64_t>) const;
template void Walk::fractions(Matrix<const float>, Matrix<const double>, double,
                              Matrix<double>) const;
template void Walk::fractions(Matrix<const double>, Matrix<const double>, double,
                              Matrix<double>) const;

} // namespace gramian::tree
