// The softmax loss in single precision, several rows per register.
#pragma once

#include "core/losses/loss.hpp"
#include "core/simd/functions.hpp"
#include "core/simd/functions_single.hpp"

namespace gramian::losses {
namespace {

using namespace simd;

// log x for x >= 1, to about 1e-7: x = 2^k m with m near 1, log m = 2 artanh((m - 1) / (m + 1)).
// NaN stays NaN.
inline Float log_above_one(Float x) {
    constexpr std::int32_t root_half = 0x3f3504f3; // the bits of sqrt(1/2)
    const Vec<std::int32_t> k = ((Vec<std::int32_t>)x - root_half) >> 23;
    const Float m = (Float)((Vec<std::int32_t>)x - (k << 23));
    const Float s = (m - 1.0F) / (m + 1.0F);
    const Float square = s * s;
    Float p = square * (1.0F / 9) + 1.0F / 7;
    p = p * square + 1.0F / 5;
    p = p * square + 1.0F / 3;
    const Float log_m = 2.0F * (s + s * (square * p));
    const Float result = __builtin_convertvector(k, Float) * 0x1.62e43p-1F + log_m;
    return x == x ? result : x;
}

// The targets of a block of rows.
struct ClassRows {
    Index n_classes;
    const std::int32_t* codes; // or null, and
    const double* proportions; // of each row and class
    const double* weights;     // or null: 1
};

// Value of as many rows as a register has lanes, from row i on; R(k, i) = s (p_k - y_k) of their
// margins Z(i, k). The first `here` lanes are rows.
inline double softmax_rows(const ClassRows& y, Index i, Index here, const float* Z, Index K,
                           Index height, float* R) {
    constexpr int lanes = kLanes<float>;
    Float peak = broadcast(-__builtin_inff());
    for (Index k = 0; k < y.n_classes; k += lanes) {
        Float z[lanes];
        for (int lane = 0; lane < lanes; ++lane) z[lane] = load(Z + (i + lane) * K + k);
        transpose(z);
        for (int c = 0; c < lanes && k + c < y.n_classes; ++c) {
            peak = max(peak, z[c]);
            store(R + (k + c) * height + i, z[c]);
        }
    }
    float weight[lanes] = {}, mass[lanes] = {}, peaks[lanes];
    double fit[lanes] = {}; // of the margins to the targets, from the peak
    store(peaks, peak);
    for (Index lane = 0; lane < here; ++lane) {
        const float* z = Z + (i + lane) * K;
        weight[lane] = y.weights == nullptr ? 1.0F : static_cast<float>(y.weights[i + lane]);
        if (y.codes != nullptr) {
            fit[lane] = static_cast<double>(z[y.codes[i + lane]] - peaks[lane]);
            mass[lane] = 1;
            continue;
        }
        for (Index k = 0; k < y.n_classes; ++k) {
            const double proportion = y.proportions[(i + lane) * y.n_classes + k];
            fit[lane] += proportion * static_cast<double>(z[k] - peaks[lane]);
            mass[lane] += static_cast<float>(proportion);
        }
    }
    Float normaliser = {};
    for (Index k = 0; k < y.n_classes; ++k) {
        float* r = R + k * height + i;
        const Float e = exp_of_negative(load(r) - peak);
        normaliser += e;
        store(r, e);
    }
    const Float scale = load(weight) * load(mass) / normaliser;
    for (Index k = 0; k < y.n_classes; ++k) {
        float* r = R + k * height + i;
        store(r, load(r) * scale);
    }
    float logs[lanes];
    store(logs, log_above_one(normaliser));
    double value = 0;
    for (Index lane = 0; lane < here; ++lane) {
        const double s = static_cast<double>(weight[lane]);
        value += s * (static_cast<double>(mass[lane] * logs[lane]) - fit[lane]);
        if (y.codes != nullptr) {
            R[y.codes[i + lane] * height + i + lane] -= weight[lane];
            continue;
        }
        for (Index k = 0; k < y.n_classes; ++k) {
            const double proportion = y.proportions[(i + lane) * y.n_classes + k];
            R[k * height + i + lane] -= static_cast<float>(s * proportion);
        }
    }
    return value;
}

// A register of floats from as many doubles.
inline Float narrow(const double* p) {
    constexpr double zeros[kLanes<float>] = {};
    return load_shifted(p, zeros, 1.0);
}

inline void store_some(float* p, Float v, Index n) {
    if (n == kLanes<float>) {
        store(p, v);
    } else {
        for (Index i = 0; i < n; ++i) p[i] = v[i];
    }
}

// First and second derivatives. With e_k = exp(z_k - max z), the sum of all but the largest,
// `rest`, is kept separate from the largest, which is 1. So 1 - p_k has the full precision of a
// float even if p_k is close to 1.
inline void softmax_slopes(const ScoreBlock& block) {
    const Index n = block.n, classes = block.classes, stride = block.stride;
    const double *y = block.y, *weights = block.weights, *z = block.z;
    float *gradient = block.gradient, *hessian = block.hessian;
    constexpr int lanes = kLanes<float>;
    constexpr Index kept = 64; // the exponentials of so many classes are stored, others recomputed
    Float powers[kept];
    for (Index i = 0; i < n; i += lanes) {
        const Index left = n - i < lanes ? n - i : lanes;
        double padded[lanes] = {};
        const auto values = [&](const double* p) -> const double* {
            if (left == lanes) return p;
            std::memcpy(padded, p, left * sizeof(double));
            return padded;
        };
        constexpr int half = kLanes<double>;
        const double* first = values(z + i);
        Double low = load(first), high = load(first + half);
        for (Index k = 1; k < classes; ++k) {
            const double* score = values(z + k * stride + i);
            low = max(low, load(score));
            high = max(high, load(score + half));
        }
        double top[lanes];
        store(top, low);
        store(top + half, high);
        const auto power = [&](Index k) {
            return exp_of_negative(load_shifted(values(z + k * stride + i), top, 1.0));
        };
        // The first class with e = 1 is the largest; `ahead` is set after it was found.
        Float rest{};
        Vec<std::int32_t> ahead{};
        for (Index k = 0; k < classes; ++k) {
            const Float e = power(k);
            if (k < kept) powers[k] = e;
            const Vec<std::int32_t> largest = (e == 1.0F) & ~ahead;
            rest += largest ? Float{} : e;
            ahead |= largest;
        }
        const Float total = 1.0F + rest, scale = 1.0F / total;
        const Float label = narrow(values(y + i));
        const Float weight = weights ? narrow(values(weights + i)) : broadcast(1.0F);
        ahead = Vec<std::int32_t>{};
        for (Index k = 0; k < classes; ++k) {
            const Float e = k < kept ? powers[k] : power(k);
            const Vec<std::int32_t> largest = (e == 1.0F) & ~ahead;
            ahead |= largest;
            const Float p = e * scale, others = (largest ? rest : total - e) * scale;
            const Float slope = label == static_cast<float>(k) ? -others : p;
            store_some(gradient + k * stride + i, slope * weight, left);
            store_some(hessian + k * stride + i, p * others * weight, left);
        }
    }
}

} // namespace
} // namespace gramian::losses
