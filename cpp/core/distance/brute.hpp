// Exhaustive nearest-neighbour search.
//
// The tile (tile.hpp) looks at every pair in float32 and hands over the few that may matter; those
// are measured in float64 on the original data, by differences. The answer is that of a float64
// search: neighbours in the order of (distance, index). Since it is exact, it does not depend on
// the order in which pairs are looked at, nor on threads.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>
#include <vector>

namespace gramian::distance {

enum class Metric { euclidean, squared_euclidean, manhattan, chebyshev, minkowski };

struct MetricOf {
    Metric metric;
    double p = 2; // of minkowski, >= 1
};

// distances(i, :), indices(i, :) = the k = distances.cols nearest rows of `database` to row i of
// `queries`, nearest first, the lower index first among equals. With `self` the queries are the
// database, and row i is not a neighbour of itself; k <= database.rows - self.
template <typename T>
void brute_neighbors(Matrix<const T> database, Matrix<const T> queries, MetricOf metric, bool self,
                     Matrix<T> distances, Matrix<Index> indices);

// All rows of `database` within `radius` of each query, in the order of their indices: those of
// query i are [offsets[i], offsets[i + 1]). With `self` as above.
template <typename T>
struct RadiusNeighbors {
    std::vector<Index> offsets;
    std::vector<std::vector<Index>> indices; // of each block of queries
    std::vector<std::vector<T>> distances;
};
template <typename T>
RadiusNeighbors<T> brute_radius_neighbors(Matrix<const T> database, Matrix<const T> queries,
                                          MetricOf metric, bool self, double radius);

} // namespace gramian::distance
