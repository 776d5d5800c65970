#include "core/boost/weights.hpp"

namespace gramian::boost {
namespace {

// Sums the terms of rows 0 .. n - 1 in eight sums of fixed order.
template <typename Term>
double sum(Index n, Term&& term) {
    constexpr int kSums = 8;
    double parts[kSums] = {};
    Index i = 0;
    for (; i + kSums <= n; i += kSums) {
        for (int k = 0; k < kSums; ++k) parts[k] += term(i + k);
    }
    for (; i < n; ++i) parts[0] += term(i);
    double total = 0;
    for (const double part : parts) total += part;
    return total;
}

} // namespace

double weight_of_wrong(const double* weights, const std::uint8_t* wrong, Index n) {
    return sum(n, [&](Index i) { return wrong[i] ? weights[i] : 0.0; });
}

void reweigh(double* weights, const std::uint8_t* wrong, Index n, double factor) {
    const double total = sum(n, [&](Index i) {
        weights[i] *= wrong[i] ? factor : 1.0;
        return weights[i];
    });
    const double scale = 1 / total;
    for (Index i = 0; i < n; ++i) weights[i] *= scale;
}

} // namespace gramian::boost
