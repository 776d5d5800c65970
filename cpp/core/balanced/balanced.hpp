// Assigns rows to clusters of limited size with the least sum of costs.
//
// A transportation problem with few sinks, solved by shortest paths. Rows are assigned one after
// the other, each along the cheapest path to a cluster with room; each cluster on the path passes a
// row on to the next one. After each row the assignment of all rows so far is optimal.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>

namespace gramian::balanced {

// labels[i] in 0 .. costs.cols - 1, each at most `capacity` times; returns the sum of the costs.
// Requires costs.cols * capacity >= costs.rows.
double assign(Matrix<const double> costs, Index capacity, Vector<std::int32_t> labels);

} // namespace gramian::balanced
