#include "core/lasso/support.hpp"

#include "core/lasso/path.hpp"

#include <algorithm>
#include <cmath>

namespace gramian::lasso {
namespace {

constexpr double kDependent = 1e-11; // share of a column's square that may be left

} // namespace

bool SupportFactor::append(const GramView& G, double l2, Index j) {
    const Index k = size();
    reserve(k + 1);
    double* row = L_.data() + k * L_.stride();
    const double* products = G.row(j);
    for (Index i = 0; i < k; ++i) row[i] = products[members_[static_cast<std::size_t>(i)]];
    lasso_kernels().forward(L_.data(), k, L_.stride(), row);
    double rest = products[j] + l2;
    for (Index i = 0; i < k; ++i) rest -= row[i] * row[i];
    if (!(rest > kDependent * (products[j] + l2))) return false;
    row[k] = std::sqrt(rest);
    members_.push_back(j);
    return true;
}

void SupportFactor::remove(Index position) {
    const Index k = size();
    members_.erase(members_.begin() + position);
    for (Index i = position; i + 1 < k; ++i) {
        std::copy_n(L_.data() + (i + 1) * L_.stride(), i + 2, L_.data() + i * L_.stride());
    }
    lasso_kernels().retriangularize(L_.data(), L_.stride(), position, k - 1);
}

void SupportFactor::solve(double* x) const {
    lasso_kernels().forward(L_.data(), size(), L_.stride(), x);
    lasso_kernels().backward(L_.data(), size(), L_.stride(), x);
}

void SupportFactor::reserve(Index rows) {
    if (rows < L_.stride()) return; // a row has one value more while a column leaves
    L_.grow(size(), std::max<Index>(64, rows + rows / 2));
}

} // namespace gramian::lasso
