// Grows many trees on samples of the rows (Breiman 2001), in parallel.
#pragma once

#include "core/tree/grow.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace gramian::tree {

// How the rows of a tree are drawn, with replacement.
struct Draws {
    Index rows = 0;                     // of the table
    Index count = 0;                    // draws for each tree; 0: every tree gets all rows
    const double* cumulative = nullptr; // cumulative weights that rows are drawn by; null: equal
    std::uint64_t seed = 0;
};

// How often each row was drawn for tree number `tree`.
void count_draws(const Draws& draws, std::uint64_t tree, double* counts);

// Receives the trees of a forest in the order of their numbers, one or several per call. Calls come
// from one thread at a time, but not always from the same one.
using TakeTrees = std::function<void(std::vector<GrownTree>)>;

// Grows trees number first .. first + n_trees - 1. `balanced` weighs the classes of each sample by
// their inverse frequency. The answer does not depend on the number of threads.
template <typename AnyColumns>
void grow_forest(AnyColumns& columns, const Targets& targets, const GrowOptions& options,
                 const Draws& draws, bool balanced, std::uint64_t first, Index n_trees,
                 const TakeTrees& take);

// As GrownTree, for several trees one after the other.
struct Output {
    std::int32_t *first_child, *n_children, *feature, *bit_start, *missing;
    std::uint8_t* kind;
    double *threshold, *weight, *impurity, *value;
    std::int64_t* samples;
    std::uint64_t* bits;
};

// Undoes the scaling of the targets: a value of an output becomes (v + center[output]) * scale, an
// impurity is multiplied by the scale or by its square.
struct OwnSize {
    Vector<const double> center; // empty if the targets were not scaled
    double scale;
    bool squared;
};

void write_trees(const std::vector<const GrownTree*>& trees, const Output& out,
                 const OwnSize& size);

} // namespace gramian::tree
