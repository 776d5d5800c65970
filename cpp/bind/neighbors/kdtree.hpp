// A k-d tree as the tuple of its arrays.
#pragma once

#include "bind/arrays.hpp"
#include "core/kdtree/search.hpp"

#include <nanobind/stl/tuple.h>

#include <bit>

namespace gramian::bind {

// X, order, points, spread, boxes, feature, value, first, as core/kdtree/search.hpp describes them.
template <typename T>
using InTree = std::tuple<In2<T>, In1<std::int32_t>, In3<float>, In1<float>, In3<float>,
                          In1<std::int32_t>, In1<T>, In1<std::int32_t>>;
template <typename T>
using OutTree = std::tuple<In2<T>, Out1<std::int32_t>, Out3<float>, Out1<float>, Out3<float>,
                           Out1<std::int32_t>, Out1<T>, Out1<std::int32_t>>;

constexpr std::size_t kMostRows = (std::size_t{1} << 31) - 1; // numbered by 32 bits

// The arrays as one tree. Only kdtree_build writes them; the rows come from the caller.
template <typename T, typename Tree>
kdtree::Tree<T> tree_view(const Tree& arrays) {
    const auto& [X, order, points, spread, boxes, feature, value, first] = arrays;
    const std::size_t n = X.shape(0), dims = X.shape(1), leaves = points.shape(0);
    require(n > 0 && n <= kMostRows && dims > 0, "k-d tree: 1 to 2^31 - 1 rows, and a column");
    require(std::has_single_bit(leaves) && leaves <= n && order.shape(0) == n &&
                points.shape(1) == dims && spread.shape(0) == leaves && boxes.shape(0) == leaves &&
                boxes.shape(1) == dims && boxes.shape(2) == 4 && feature.shape(0) == leaves &&
                value.shape(0) == leaves && first.shape(0) == 2 * leaves,
            "k-d tree: the arrays do not fit together or to the rows");
    const std::size_t in_leaf = (n + leaves - 1) / leaves;
    require(points.shape(2) >= in_leaf && points.shape(2) % kdtree::kLeafPad == 0,
            "k-d tree: the leaves do not hold the rows");
    const int levels = std::countr_zero(leaves);
    return {X.data(),
            order.data(),
            points.data(),
            spread.data(),
            boxes.data(),
            feature.data(),
            value.data(),
            first.data(),
            static_cast<Index>(X.shape(0)),
            static_cast<Index>(X.shape(1)),
            levels,
            static_cast<Index>(points.shape(2))};
}

} // namespace gramian::bind
