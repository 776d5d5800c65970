// Shared by the dense and sparse columns of the lasso (columns_dense.cpp, columns_sparse.cpp).
#pragma once

#include "core/lasso/columns.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gramian::lasso {

constexpr Index kBlockValues = 1 << 16; // values that a block of columns reads
constexpr Index kBlockRows = 2048;
constexpr Index kSerialValues = 1 << 17; // below this, threads cost more than they save

inline int threads_for(Index values) {
    return values < kSerialValues ? 1 : 0;
}

// A column whose spread is below the rounding of its mean is constant.
inline double square_or_zero(double square, double mean) {
    if (!std::isfinite(square)) return square; // too large to be squared, for the caller to see
    return square > 1e-26 * mean * mean ? square : 0.0;
}

// out[which[t]] = values of `compute` over blocks of columns, less mean * the sum of u.
template <typename Compute>
void correlate_in_blocks(const std::vector<Index>& which, Index per_column,
                         const std::vector<double>& mean, double sum, double* out,
                         Compute compute) {
    const Index count = static_cast<Index>(which.size());
    const runtime::Blocks blocks{count,
                                 std::max<Index>(1, kBlockValues / std::max<Index>(per_column, 1))};
    runtime::parallel_for(
        blocks.count(),
        [&](Index block) {
            const Index begin = blocks.begin(block), size = blocks.end(block) - begin;
            std::vector<double> found(static_cast<std::size_t>(size));
            compute(which.data() + begin, size, found.data());
            for (Index t = 0; t < size; ++t) {
                const Index j = which[static_cast<std::size_t>(begin + t)];
                out[j] =
                    found[static_cast<std::size_t>(t)] - mean[static_cast<std::size_t>(j)] * sum;
            }
        },
        threads_for(count * per_column));
}

// The minimiser along one coordinate, c the correlation with the others as they are.
inline double minimiser(double c, double square, double l1, double l2, bool positive) {
    if (c > l1) return (c - l1) / (square + l2);
    return c < -l1 && !positive ? (c + l1) / (square + l2) : 0.0;
}

// Columns of rows with weights.
class WeightedColumns : public Columns {
protected:
    WeightedColumns(Vector<const double> weights, Index columns, bool centre)
        : weights_(weights), centre_(centre), u_(static_cast<std::size_t>(weights.size)) {
        root_.resize(static_cast<std::size_t>(weights.size));
        for (Index i = 0; i < weights.size; ++i) {
            root_[static_cast<std::size_t>(i)] = std::sqrt(weights[i]);
        }
        mean_.resize(static_cast<std::size_t>(columns));
        squares_.resize(static_cast<std::size_t>(columns));
    }

    // u = root o r; returns its sum where columns are centred.
    double weigh(const double* r) {
        for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = root_[i] * r[i];
        return centre_ ? std::accumulate(u_.begin(), u_.end(), 0.0) : 0.0;
    }

    Vector<const double> weights_;
    bool centre_;
    std::vector<double> u_;
};

} // namespace gramian::lasso
