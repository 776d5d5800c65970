// Anderson's extrapolation of coordinate descent (Bertrand and Massias 2021).
#pragma once

#include "core/lasso/support.hpp"

#include <algorithm>
#include <vector>

namespace gramian::lasso {

// Of the last kIterates iterates, the average with weights of sum 1 whose average step is shortest.
// A vector that is an affine function of b (the residual or a gradient) is averaged with it.
class Extrapolation {
public:
    static constexpr Index kIterates = 5;

    Extrapolation(Index m, Index affine)
        : m_(m), n_(affine), b_(static_cast<std::size_t>((kIterates + 1) * m)),
          f_(static_cast<std::size_t>((kIterates + 1) * affine)),
          best_b_(static_cast<std::size_t>(m)), best_f_(static_cast<std::size_t>(affine)) {}

    void restart(const double* b, const double* affine) {
        count_ = 0;
        record(b, affine);
    }
    void record(const double* b, const double* affine) {
        std::copy_n(b, m_, b_.data() + count_ * m_);
        std::copy_n(affine, n_, f_.data() + count_ * n_);
        ++count_;
    }
    bool full() const { return count_ == kIterates + 1; }

    // Makes the averages; false where the steps depend on each other.
    bool average() {
        double products[kIterates * kIterates], weights[kIterates], total = 0;
        const auto step = [&](Index t, Index j) {
            return b_.data()[(t + 1) * m_ + j] - b_.data()[t * m_ + j];
        };
        for (Index s = 0; s < kIterates; ++s) {
            for (Index t = 0; t <= s; ++t) {
                double product = 0;
                for (Index j = 0; j < m_; ++j) product += step(s, j) * step(t, j);
                products[s * kIterates + t] = products[t * kIterates + s] = product;
            }
            weights[s] = 1;
        }
        SupportFactor factor;
        for (Index t = 0; t < kIterates; ++t) {
            if (!factor.append({products, kIterates, kIterates}, 0.0, t)) return false;
        }
        factor.solve(weights);
        for (const double w : weights) total += w;
        std::fill(best_b_.begin(), best_b_.end(), 0.0);
        std::fill(best_f_.begin(), best_f_.end(), 0.0);
        for (Index t = 0; t < kIterates; ++t) {
            add(weights[t] / total, b_.data() + (t + 1) * m_, best_b_);
            add(weights[t] / total, f_.data() + (t + 1) * n_, best_f_);
        }
        return true;
    }
    const double* b() const { return best_b_.data(); }
    const double* affine() const { return best_f_.data(); }

private:
    static void add(double weight, const double* from, std::vector<double>& to) {
        for (std::size_t j = 0; j < to.size(); ++j) to[j] += weight * from[j];
    }

    Index m_, n_;
    Index count_ = 0;
    std::vector<double> b_, f_, best_b_, best_f_;
};

} // namespace gramian::lasso
