// Trees and forests: the first split by brute force, pure leaves, walks by hand.
#include "core/tree/forest.hpp"
#include "core/runtime/pool.hpp"
#include "core/tree/walk.hpp"

#include "steps.hpp"

#include <thread>

namespace steps {
namespace {

using gramian::tree::Criterion;
using gramian::tree::GrownTree;

constexpr Index kClasses = 3;

// n times the Gini impurity.
double impurity(const double* counts) {
    double total = 0, squares = 0;
    for (Index k = 0; k < kClasses; ++k) {
        total += counts[k];
        squares += counts[k] * counts[k];
    }
    return total > 0 ? total - squares / total : 0;
}

// The same, summed over the two sides of a threshold.
template <typename T>
double impurity_after(const Table<T>& X, const std::vector<std::uint16_t>& codes, Index column,
                      double threshold) {
    double left[kClasses] = {}, right[kClasses] = {};
    for (Index i = 0; i < X.rows; ++i) {
        const Index code = codes[static_cast<std::size_t>(i)];
        ++(static_cast<double>(X(i, column)) <= threshold ? left : right)[code];
    }
    return impurity(left) + impurity(right);
}

gramian::tree::NodeArrays arrays_of(const GrownTree& tree) {
    return {tree.size(),           tree.first_child.data(), tree.n_children.data(),
            tree.kind.data(),      tree.feature.data(),     tree.threshold.data(),
            tree.bit_start.data(), tree.missing.data(),     tree.weight.data(),
            in(tree.bits)};
}

template <typename T>
Index leaf_of(const GrownTree& tree, const Table<T>& X, Index row) {
    std::size_t node = 0;
    while (tree.n_children[node] > 0) {
        const bool right = static_cast<double>(X(row, tree.feature[node])) > tree.threshold[node];
        node = static_cast<std::size_t>(tree.first_child[node] + right);
    }
    return static_cast<Index>(node);
}

template <typename T>
void walks(const GrownTree& tree, const Table<T>& X) {
    const std::vector<std::int64_t> roots{0, tree.size()},
        words{0, static_cast<std::int64_t>(tree.bits.size())};
    const std::vector<std::int32_t> levels(static_cast<std::size_t>(X.cols), 0);
    const gramian::tree::Walk walk(arrays_of(tree), in(roots), in(words), in(levels));
    const auto ask = [&] {
        Table<std::int32_t> leaves(X.rows, 1);
        walk.leaves<T>(X.in(), leaves.out());
        for (Index i = 0; i < X.rows; ++i) HOLDS(leaves(i, 0) == leaf_of(tree, X, i));
    };
    std::thread other(ask); // several threads ask one tree
    ask();
    other.join();
}

template <typename T>
void classes(const Table<T>& X) {
    const Index n = X.rows, d = X.cols;
    const std::vector<std::int32_t> levels(static_cast<std::size_t>(d), 0);
    gramian::tree::Columns columns(X.in(), in(levels));
    std::vector<std::uint16_t> codes;
    for (Index i = 0; i < n; ++i) {
        // rows that are alike in these columns are alike in their class
        codes.push_back(
            static_cast<std::uint16_t>((X(i, 0) > 4) + (X(i, 1) + X(i, 2) > static_cast<T>(9))));
    }
    gramian::tree::Targets targets;
    targets.n_classes = kClasses;
    targets.codes = codes.data();
    const GrownTree tree = gramian::tree::grow_tree(columns, targets,
                                                    {.criterion = Criterion::gini,
                                                     .max_depth = 1 << 20,
                                                     .max_features = d,
                                                     .monotone = {},
                                                     .function = {},
                                                     .seed = 1},
                                                    0);

    double least = static_cast<double>(n);
    for (Index j = 0; j < d; ++j) {
        for (Index i = 0; i < n; ++i) {
            const auto threshold = static_cast<double>(X(i, j));
            least = std::min(least, impurity_after(X, codes, j, threshold));
        }
    }
    HOLDS(close(impurity_after(X, codes, tree.feature[0], tree.threshold[0]), least, 1e-12));
    for (Index i = 0; i < n; ++i) {
        const std::size_t leaf = static_cast<std::size_t>(leaf_of(tree, X, i));
        HOLDS(tree.impurity[leaf] == 0);
        const Index code = codes[static_cast<std::size_t>(i)];
        HOLDS(tree.value[leaf * kClasses + static_cast<std::size_t>(code)] > 0);
    }
    walks(tree, X);
}

template <typename T>
void numbers(const Table<T>& X) {
    const Index n = X.rows, d = X.cols;
    const std::vector<std::int32_t> levels(static_cast<std::size_t>(d), 0);
    gramian::tree::Columns columns(X.in(), in(levels));
    std::vector<double> y;
    for (Index i = 0; i < n; ++i) y.push_back(static_cast<double>(X(i, 0) - 2 * X(i, 1)));
    gramian::tree::Targets targets;
    targets.values = y.data();
    const auto forest = [&] {
        std::vector<GrownTree> trees;
        gramian::tree::grow_forest(columns, targets,
                                   {.criterion = Criterion::squared_error,
                                    .max_depth = 6,
                                    .max_features = d / 2,
                                    .monotone = {},
                                    .function = {},
                                    .seed = 3},
                                   {n, n, nullptr, 5}, false, 0, 8,
                                   [&](const std::vector<GrownTree>& taken) {
                                       trees.insert(trees.end(), taken.begin(), taken.end());
                                   });
        return trees;
    };
    const int asked = gramian::runtime::swap_thread_request(1);
    const std::vector<GrownTree> alone = forest();
    gramian::runtime::swap_thread_request(3);
    const std::vector<GrownTree> together = forest();
    gramian::runtime::swap_thread_request(asked);
    HOLDS(alone.size() == 8 && together.size() == 8);
    for (std::size_t t = 0; t < alone.size(); ++t) {
        HOLDS(alone[t].feature == together[t].feature && alone[t].value == together[t].value);
        // each leaf holds the mean of the rows drawn
        std::vector<double> drawn(static_cast<std::size_t>(n));
        gramian::tree::count_draws({n, n, nullptr, 5}, t, drawn.data());
        std::vector<double> sum(alone[t].kind.size()), weight(sum.size());
        for (Index i = 0; i < n; ++i) {
            const std::size_t leaf = static_cast<std::size_t>(leaf_of(alone[t], X, i));
            const std::size_t row = static_cast<std::size_t>(i);
            sum[leaf] += drawn[row] * y[row];
            weight[leaf] += drawn[row];
        }
        for (std::size_t node = 0; node < sum.size(); ++node) {
            if (alone[t].n_children[node] > 0) continue;
            HOLDS(weight[node] == alone[t].weight[node]);
            HOLDS(close(alone[t].value[node], sum[node] / weight[node], 1e-10));
        }
    }
    walks(alone[0], X);
}

template <typename T>
void all(Index n, Index d) {
    const auto X = groups<T>(n, d, 6);
    classes(X);
    numbers(X);
}

} // namespace

void forest() {
    all<float>(600, 4);
    all<double>(350, 6);
}

} // namespace steps
