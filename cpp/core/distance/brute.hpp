// Exhaustive nearest-neighbour search.
//
// The tile (tile.hpp) compares every pair in float32 and selects the few that may matter. These
// are measured in float64 on the original data, by differences. The result is that of a float64
// search: neighbours in the order of (distance, index). It is exact, so it depends neither on the
// order in which pairs are compared nor on the threads.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>
#include <vector>

namespace gramian::distance {

enum class Metric { euclidean, squared_euclidean, manhattan, chebyshev, minkowski };

struct MetricSpec {
    Metric metric;
    double p = 2; // of minkowski, >= 1
};

// distances(i, :), indices(i, :) = the k = distances.cols nearest rows of `database` to row i of
// `queries`, nearest first, the lower index first among equals. With `self` the queries are the
// database, and row i is not a neighbour of itself; k <= database.rows - self.
template <typename T>
void brute_neighbors(Matrix<const T> database, Matrix<const T> queries, MetricSpec metric,
                     bool self, Matrix<T> distances, Matrix<Index> indices);

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
                                          MetricSpec metric, bool self, double radius);

} // namespace gramian::distance
