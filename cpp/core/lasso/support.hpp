// The Cholesky factor of a Gram matrix over the support, updated as columns enter and leave.
//
//     L L' = G_SS + l2 I,   S in the order of entering
//
// A new column costs one triangular solve, one that leaves a chain of plane rotations: O(k^2)
// each, against O(k^3) for a new factor (Golub and Van Loan 2013, 6.5).
#pragma once

#include "core/runtime/views.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace gramian::lasso {

struct GramView {
    const double* data;
    Index stride;
    Index size;

    const double* row(Index j) const { return data + j * stride; }
};

// A square matrix that grows: memory beyond the rows and columns written is never touched.
class GrowableMatrix {
public:
    double* data() const { return values_.get(); }
    Index stride() const { return stride_; }
    void clear() {
        values_.reset();
        stride_ = 0;
    }
    // Room for `size` rows and columns; the first `kept` stay.
    void grow(Index kept, Index size) {
        std::unique_ptr<double[]> larger(new double[static_cast<std::size_t>(size * size)]);
        for (Index i = 0; i < kept; ++i) {
            std::copy_n(values_.get() + i * stride_, kept, larger.get() + i * size);
        }
        values_ = std::move(larger);
        stride_ = size;
    }

private:
    std::unique_ptr<double[]> values_;
    Index stride_ = 0;
};

class SupportFactor {
public:
    Index size() const { return static_cast<Index>(members_.size()); }
    const std::vector<Index>& members() const { return members_; }
    void clear() { members_.clear(); }

    // Returns false and changes nothing if the column depends on the members, up to rounding.
    bool append(const GramView& G, double l2, Index j);
    // Removes the member at this position.
    void remove(Index position);
    // x becomes (L L')^-1 x.
    void solve(double* x) const;

private:
    void reserve(Index rows);

    std::vector<Index> members_;
    GrowableMatrix L_;
};

} // namespace gramian::lasso
