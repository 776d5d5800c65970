// One candidate test of C4.5: the best of a column, with its gain and gain ratio.
//
//     gain(S)  = K/N (info(S_known) - sum_j N_j/K info(S_j)),      info(S) = -sum_c p_c log2 p_c
//     ratio(S) = gain / split info,   split info = info of the branches and the unknown, over N
//
// N is the weight of the cases at the node, K that of those whose value is known, N_j that of
// branch j. A threshold pays log2(candidates) / N of its gain (Quinlan 1996).
#pragma once

#include "core/c45/tree.hpp"

namespace gramian::c45 {

struct Candidate {
    bool valid = false;
    double gain = 0;
    double ratio = 0;
    std::int32_t rank = -1; // the last rank of the left branch, or the category of branch 0
    std::int32_t next = -1; // the first rank of the right branch
};

// x log2 x, from a table for whole numbers.
class XLog2 {
public:
    explicit XLog2(Index largest);
    double operator()(double x) const;

private:
    std::vector<double> table_;
};

// The best test of one column at a node whose cases weigh `total`; not valid if no two branches
// weigh min_leaf.
Candidate candidate_of(const Table& table, const Growth& growth, const XLog2& xlog2,
                       std::int32_t feature, const Cases& cases, double total);

} // namespace gramian::c45
