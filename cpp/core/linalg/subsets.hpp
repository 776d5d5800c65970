// Best subsets of columns for least squares, exactly, by branch and bound on regressions
// (Furnival and Wilson 1974).
//
// A node holds columns of which some are fixed; its children leave one free column out and fix
// those before it. Leaving a column out can only raise the residual sum of squares, by
// b_j^2 / C_jj with C the inverse Gram matrix and b the coefficients, so a child whose sum already
// exceeds the best known of every size below it is never opened. The strongest columns come first:
// the largest subtrees are those that leave them out, and these are cut.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>

namespace gramian::linalg {

constexpr Index kMostColumns = 64;

// C (p, p), b (p) and rss of all columns. best[k] and sets[k] hold, for each size k, a known sum
// and the bits of its columns (infinity and 0 where none is known); the best ones on return. Sizes
// above `largest` are not wanted. Returns how many nodes were opened.
Index best_subsets(Matrix<const double> C, Vector<const double> b, double rss, Index largest,
                   Vector<double> best, Vector<std::uint64_t> sets);

} // namespace gramian::linalg
