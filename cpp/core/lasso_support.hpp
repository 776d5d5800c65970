// The Cholesky factor of a Gram matrix over the support, kept as columns come and go.
//
//     L L' = G_SS + l2 I,   S in the order of entering
//
// A new column costs one triangular solve, one that leaves a chain of plane rotations: O(k^2)
// each, against O(k^3) for a new factor (Golub and Van Loan 2013, 6.5).
#pragma once

#include "core/views.hpp"

#include <vector>

namespace gramian {

struct GramView {
    const double* data;
    Index stride;
    Index size;

    const double* row(Index j) const { return data + j * stride; }
};

class SupportFactor {
public:
    Index size() const { return static_cast<Index>(members_.size()); }
    const std::vector<Index>& members() const { return members_; }
    void clear() { members_.clear(); }

    // False, and nothing changes, where the column depends on the members to rounding.
    bool append(const GramView& G, double l2, Index j);
    // Removes the member at this position.
    void remove(Index position);
    // x becomes (L L')^-1 x.
    void solve(double* x) const;

private:
    void reserve(Index rows);

    std::vector<Index> members_;
    Index stride_ = 0;
    std::vector<double> L_;
};

} // namespace gramian
