// The targets, the criterion and the stopping rules of a tree.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace gramian::splits {

// The impurity of a node with weight w and class proportions p_k:
//     gini               1 - sum_k p_k^2
//     entropy            -sum_k p_k log2 p_k; gain ratio divides its decrease by the entropy of
//                        the children's weights
//     misclassification  1 - max_k p_k
//     function           what a function of the counts returns
// and with targets y:
//     squared_error      mean (y - mean)^2
//     deviation          its root
//     absolute_error     mean |y - median|
//     worst_error        max |y - (min + max) / 2|; a split is as bad as the worse child
//     poisson            mean (y log(y / mean)); y >= 0
// Several outputs: the mean of their impurities.
enum class Criterion {
    gini,
    entropy,
    misclassification,
    gain_ratio,
    function,
    squared_error,
    deviation,
    absolute_error,
    worst_error,
    poisson
};

// How a categorical column is split: into two sets, one child per category, one against the rest.
enum class CategorySplits { group, each, one };

// impurity[i] of the class weights counts(i, :), i < m.
using ImpurityFunction = std::function<void(Matrix<const double> counts, double* impurity)>;

struct Targets {
    Index n_outputs = 1;
    Index n_classes = 1;                  // the most of any output; 1 for regression
    const std::uint16_t* codes = nullptr; // (rows, n_outputs), for classification
    const double* values = nullptr;       // (rows, n_outputs), for regression
    const double* weights = nullptr;      // a weight per row, or null where all are 1

    bool classification() const { return codes != nullptr; }
};

struct GrowOptions {
    Criterion criterion = Criterion::gini;
    CategorySplits category_splits = CategorySplits::group;
    bool plain_sum = false;    // minimise J_left + J_right instead of their weighted mean
    bool random_split = false; // one random threshold per column instead of the best
    Index max_depth = 0;       // 0: no split at all
    Index max_leaf_nodes = 0;  // 0: no limit; otherwise grow best-first
    Index min_samples_split = 2;
    Index min_samples_leaf = 1;
    Index max_features = 0; // columns searched in a node
    double min_weight_leaf = 0;
    double min_impurity_decrease = 0;
    double max_purity = 1;             // a node in which a class has this proportion is a leaf
    std::vector<std::int8_t> monotone; // empty, or -1, 0, 1 per column
    ImpurityFunction function;
    std::uint64_t seed = 0;
};

} // namespace gramian::splits
