// Shared by the passes over the candidates of a column (search.cpp, scan.cpp).
#pragma once

#include "core/splits/search.hpp"

#include <algorithm>

namespace gramian::splits {

constexpr Index kScanBlock = 1024; // candidates compared together

// The positions between which candidates lie, and how many rows are left of position 0.
struct CandidateRange {
    Index low, high, before;

    CandidateRange(Index n, Index n_known, bool missing_left, Index least) {
        before = missing_left ? n - n_known : 0;
        low = std::max<Index>(1, least - before);
        high = std::min(n - before - least, missing_left || n_known == n ? n_known - 1 : n_known);
    }
};

// Whether a split satisfies a monotonic constraint and the bounds set by those of its ancestors.
inline bool allowed(double left, double right, int monotone, const NodeTotals& node) {
    return left >= node.lower && left <= node.upper && right >= node.lower && right <= node.upper &&
           (monotone == 0 || (left - right) * monotone <= 0);
}

} // namespace gramian::splits
