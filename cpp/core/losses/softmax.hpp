// The softmax loss of the margins of K classes, log sum_k e^z_k - z_y: value and derivative. In
// single precision: softmax_single.hpp.
#pragma once

#include "core/runtime/views.hpp"
#include "core/simd/functions.hpp"

namespace gramian::losses {
namespace {

using namespace simd;

// Value of rows of margins Z (rows, K), of which the first n_classes columns count; writes
// s (p - y) over them. Either codes or proportions is null.
//
// The largest margin of a row is subtracted before exp, so that nothing overflows. Columns past
// n_classes come in as minus infinity and leave as 0.
inline double softmax(Index rows, Index n_classes, Index K, double* Z, const std::int32_t* codes,
                      const double* proportions, const double* s) {
    constexpr int lanes = simd::kLanes<double>;
    double total = 0;
    for (Index i = 0; i < rows; ++i) {
        double* z = Z + i * K;
        const double weight = s == nullptr ? 1.0 : s[i];
        Double peaks = load(z);
        for (Index k = lanes; k < K; k += lanes) peaks = max(peaks, load(z + k));
        double peak = peaks[0];
        for (int lane = 1; lane < lanes; ++lane) peak = peaks[lane] > peak ? peaks[lane] : peak;

        // y . z and the sum of y before the margins are overwritten
        double hit = 0, mass = 0;
        if (codes != nullptr) {
            hit = z[codes[i]] - peak;
            mass = 1;
        } else {
            for (Index k = 0; k < n_classes; ++k) {
                hit += proportions[i * n_classes + k] * (z[k] - peak);
                mass += proportions[i * n_classes + k];
            }
        }
        Double sums = {};
        for (Index k = 0; k < K; k += lanes) {
            const Double e = exp(load(z + k) - peak);
            sums += e;
            store(z + k, e);
        }
        const double normaliser = sum<double>(sums);
        total += weight * (mass * __builtin_log(normaliser) - hit);
        const double scale = weight * mass / normaliser;
        for (Index k = 0; k < K; k += lanes) store(z + k, load(z + k) * scale);
        if (codes != nullptr) {
            z[codes[i]] -= weight;
        } else {
            for (Index k = 0; k < n_classes; ++k) z[k] -= weight * proportions[i * n_classes + k];
        }
    }
    return total;
}

} // namespace
} // namespace gramian::losses
