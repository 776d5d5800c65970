#include "core/passes/gradient.hpp"
#include "core/simd/functions_single.hpp"

namespace gramian::passes::GRAMIAN_ISA {
namespace {

using namespace simd;

using Bits = Vec<std::int32_t>;
constexpr int kLanesF = kLanes<float>;

// log x for x >= 1, to about 1e-7: x = 2^k m with m near 1, log m = 2 artanh((m - 1) / (m + 1)).
// NaN stays NaN.
inline Float log_above_one(Float x) {
    constexpr std::int32_t root_half = 0x3f3504f3; // the bits of sqrt(1/2)
    const Bits k = ((Bits)x - root_half) >> 23;
    const Float m = (Float)((Bits)x - (k << 23));
    const Float s = (m - 1.0F) / (m + 1.0F);
    const Float square = s * s;
    Float p = square * (1.0F / 9) + 1.0F / 7;
    p = p * square + 1.0F / 5;
    p = p * square + 1.0F / 3;
    const Float log_m = 2.0F * (s + s * (square * p));
    const Float result = __builtin_convertvector(k, Float) * 0x1.62e43p-1F + log_m;
    return x == x ? result : x;
}

inline Index rounded_up(Index n) {
    return (n + kLanesF - 1) / kLanesF * kLanesF;
}

// The rows as floats, each filled up with zeros to whole registers.
template <typename T>
inline void narrow(const Matrix<const T>& X, Index width, float* A) {
    for (Index i = 0; i < X.rows; ++i) {
        const T* x = X.row(i);
        float* a = A + i * width;
        for (Index j = 0; j < X.cols; ++j) a[j] = static_cast<float>(x[j]);
        for (Index j = X.cols; j < width; ++j) a[j] = 0;
    }
}

// Calls tile<Rows, Vecs>(first row, first register) so that the tiles cover rows x vecs registers:
// with twelve sums in registers, loads do not hold up the multiplications.
template <typename Tile>
inline void cover(Index rows, Index vecs, const Tile& tile) {
    const auto column = [&]<int Rows, int Vecs>(Index v) {
        Index m = 0;
        for (; m + Rows <= rows; m += Rows) tile.template operator()<Rows, Vecs>(m, v);
        for (; m + 2 <= rows; m += 2) tile.template operator()<2, Vecs>(m, v);
        for (; m < rows; ++m) tile.template operator()<1, Vecs>(m, v);
    };
    for (Index v = 0; v < vecs;) {
        const Index left = vecs - v;
        if (left >= 3 && left != 4) { // four registers are better left as two and two
            column.template operator()<4, 3>(v);
            v += 3;
        } else if (left >= 2) {
            column.template operator()<6, 2>(v);
            v += 2;
        } else {
            column.template operator()<8, 1>(v);
            v += 1;
        }
    }
}

// total[Rows][Vecs registers] += A B, where A(m, k) = a[m * row_step + k * step].
template <int Rows, int Vecs>
inline void add_tile(Index depth, const float* a, Index row_step, Index step, const float* B,
                     Index ldb, Float (&total)[Rows][Vecs]) {
    for (Index k = 0; k < depth; ++k) {
        Float b[Vecs];
        for (int v = 0; v < Vecs; ++v) b[v] = load(B + k * ldb + v * kLanesF);
        for (int m = 0; m < Rows; ++m) {
            const Float x = broadcast(a[m * row_step + k * step]);
            for (int v = 0; v < Vecs; ++v) total[m][v] += x * b[v];
        }
    }
}

// Z = b + A W: rows by rows, classes in the lanes.
template <int Rows, int Vecs>
inline void margins_tile(Index cols, const float* a, Index width, const float* W, const float* b,
                         Index K, float* Z) {
    Float total[Rows][Vecs];
    for (int m = 0; m < Rows; ++m) {
        for (int v = 0; v < Vecs; ++v) total[m][v] = load(b + v * kLanesF);
    }
    add_tile<Rows, Vecs>(cols, a, width, 1, W, K, total);
    for (int m = 0; m < Rows; ++m) {
        for (int v = 0; v < Vecs; ++v) store(Z + m * K + v * kLanesF, total[m][v]);
    }
}

// G += R A: classes by classes, columns in the lanes, of which `left` are there. The rows of a
// block are added in single precision, blocks in double.
template <int Classes, int Vecs>
inline void gradient_tile(Index rows, const float* R, Index height, const float* A, Index width,
                          Index left, Index ldg, double* G) {
    Float total[Classes][Vecs] = {};
    add_tile<Classes, Vecs>(rows, R, height, 1, A, width, total);
    for (int c = 0; c < Classes; ++c) {
        float sums[Vecs * kLanesF];
        for (int v = 0; v < Vecs; ++v) store(sums + v * kLanesF, total[c][v]);
        double* g = G + c * ldg;
        const Index here = left < Vecs * kLanesF ? left : Vecs * kLanesF;
        for (Index j = 0; j < here; ++j) g[j] += static_cast<double>(sums[j]);
    }
}

struct BlockTargets {
    Index n_classes;
    const std::int32_t* codes; // or null, and
    const double* shares;      // of each row and class
    const double* weights;     // or null: 1
};

// Value of as many rows as a register has lanes, from row i on; R(k, i) = s (p_k - y_k) of their
// margins Z(i, k). Of those lanes `here` are rows.
inline double softmax_rows(const BlockTargets& y, Index i, Index here, const float* Z, Index K,
                           Index height, float* R) {
    Float peak = broadcast(-__builtin_inff());
    for (Index k = 0; k < y.n_classes; k += kLanesF) {
        Float z[kLanesF];
        for (int lane = 0; lane < kLanesF; ++lane) z[lane] = load(Z + (i + lane) * K + k);
        transpose(z);
        for (int c = 0; c < kLanesF && k + c < y.n_classes; ++c) {
            peak = max(peak, z[c]);
            store(R + (k + c) * height + i, z[c]);
        }
    }
    float weight[kLanesF] = {}, mass[kLanesF] = {}, peaks[kLanesF];
    double fit[kLanesF] = {}; // of the margins to the targets, from the peak
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
            const double share = y.shares[(i + lane) * y.n_classes + k];
            fit[lane] += share * static_cast<double>(z[k] - peaks[lane]);
            mass[lane] += static_cast<float>(share);
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
    float logs[kLanesF];
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
            const double share = y.shares[(i + lane) * y.n_classes + k];
            R[k * height + i + lane] -= static_cast<float>(s * share);
        }
    }
    return value;
}

template <typename T>
double block(const Matrix<const T>& X, const float* W, const float* b, Index n_classes, Index K,
             const std::int32_t* codes, const double* shares, const double* s, float* work,
             double* G) {
    const Index rows = X.rows, cols = X.cols;
    const Index width = rounded_up(cols), height = rounded_up(rows);
    float* Z = work;                   // (height, K)
    float* R = Z + height * K;         // (n_classes, height)
    float* A = R + n_classes * height; // (rows, width)
    narrow(X, width, A);
    cover(rows, K / kLanesF, [&]<int Rows, int Vecs>(Index m, Index v) {
        const Index k = v * kLanesF;
        margins_tile<Rows, Vecs>(cols, A + m * width, width, W + k, b + k, K, Z + m * K + k);
    });
    for (Index i = rows * K; i < height * K; ++i) Z[i] = 0;
    const BlockTargets targets{n_classes, codes, shares, s};
    double value = 0;
    for (Index i = 0; i < rows; i += kLanesF) {
        const Index here = rows - i < kLanesF ? rows - i : kLanesF;
        value += softmax_rows(targets, i, here, Z, K, height, R);
    }
    const Index ldg = cols + 1;
    cover(n_classes, width / kLanesF, [&]<int Classes, int Vecs>(Index c, Index v) {
        const Index j = v * kLanesF;
        gradient_tile<Classes, Vecs>(rows, R + c * height, height, A + j, width, cols - j, ldg,
                                     G + c * ldg + j);
    });
    for (Index c = 0; c < n_classes; ++c) {
        Float total = {};
        for (Index i = 0; i < height; i += kLanesF) total += load(R + c * height + i);
        G[c * ldg + cols] += static_cast<double>(sum<float>(total));
    }
    return value;
}

} // namespace

extern const SingleSoftmaxKernels single_softmax;
const SingleSoftmaxKernels single_softmax = {block<float>, block<double>, kLanesF};

} // namespace gramian::passes::GRAMIAN_ISA
