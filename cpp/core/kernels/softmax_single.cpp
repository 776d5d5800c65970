#include "core/kernels/simd.hpp"
#include "core/passes.hpp"

namespace gramian::GRAMIAN_ISA {
namespace {

using Float = Vec<float>;
using Bits = Vec<std::int32_t>;
constexpr int kLanesF = kLanes<float>;

// e^x for x <= 0, to about 1e-7 of the result: 2^k e^r as for doubles (functions.hpp), with the
// Taylor polynomial of degree 7. Below -87 the result is 0; NaN stays NaN.
inline Float exp_of_negative(Float x) {
    constexpr float shift = 0x1.8p23F;
    constexpr float ln2_high = 0x1.62e4p-1F, ln2_low = 0x1.7f7d1cp-20F;
    constexpr float inverse_factorials[] = {1.0F,      1.0F,       1.0F / 2,   1.0F / 6,
                                            1.0F / 24, 1.0F / 120, 1.0F / 720, 1.0F / 5040};
    const Float inside = max(x, broadcast(-87.0F));
    const Float shifted = inside * 0x1.715476p0F + shift;
    const Float k = shifted - shift;
    const Float r = (inside - k * ln2_high) - k * ln2_low;
    Float p = broadcast(inverse_factorials[7]);
    for (int i = 6; i >= 0; --i) p = p * r + inverse_factorials[i];
    const Bits power = ((Bits)shifted << 23) + (127 << 23);
    const Float result = x < -87.0F ? Float{} : p * (Float)power;
    return x == x ? result : x;
}

// A block as floats: as it lies, or narrowed into `work`.
inline const float* narrow(const Matrix<const float>& X, float*) {
    return X.data;
}
inline const float* narrow(const Matrix<const double>& X, float* work) {
    const Index size = X.rows * X.cols;
    for (Index i = 0; i < size; ++i) work[i] = static_cast<float>(X.data[i]);
    return work;
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

// Z = b + A W, by tiles.
template <int Rows, int Vecs>
inline void margins_tile(Index cols, const float* a, const float* W, const float* b, Index K,
                         float* Z) {
    Float total[Rows][Vecs];
    for (int m = 0; m < Rows; ++m) {
        for (int v = 0; v < Vecs; ++v) total[m][v] = load(b + v * kLanesF);
    }
    add_tile<Rows, Vecs>(cols, a, cols, 1, W, K, total);
    for (int m = 0; m < Rows; ++m) {
        for (int v = 0; v < Vecs; ++v) store(Z + m * K + v * kLanesF, total[m][v]);
    }
}

// G += A' R, by tiles; the rows of a block are added in single precision, blocks in double.
template <int Rows, int Vecs>
inline void gradient_tile(Index rows, Index cols, const float* a, const float* R, Index K,
                          double* G) {
    Float total[Rows][Vecs] = {};
    add_tile<Rows, Vecs>(rows, a, 1, cols, R, K, total);
    for (int m = 0; m < Rows; ++m) {
        for (int v = 0; v < Vecs; ++v) {
            float lanes[kLanesF];
            store(lanes, total[m][v]);
            double* g = G + m * K + v * kLanesF;
            for (int lane = 0; lane < kLanesF; ++lane) g[lane] += static_cast<double>(lanes[lane]);
        }
    }
}

// Calls tile<Rows, Vecs>(first row, first column) so that the tiles cover (rows, K).
template <typename Tile>
inline void cover(Index rows, Index K, const Tile& tile) {
    const auto columns = [&]<int Rows, int Vecs>(Index k) {
        Index m = 0;
        for (; m + Rows <= rows; m += Rows) tile.template operator()<Rows, Vecs>(m, k);
        for (; m < rows; ++m) tile.template operator()<1, Vecs>(m, k);
    };
    for (Index k = 0; k < K;) {
        const Index vecs = (K - k) / kLanesF;
        if (vecs >= 3 && vecs != 4) { // four registers are better left as two and two
            columns.template operator()<4, 3>(k);
            k += 3 * kLanesF;
        } else if (vecs >= 2) {
            columns.template operator()<6, 2>(k);
            k += 2 * kLanesF;
        } else {
            columns.template operator()<8, 1>(k);
            k += kLanesF;
        }
    }
}

// Value of a row of margins z; writes s (p - y) over them.
inline double softmax_row(Index n_classes, Index K, float* z, const std::int32_t* code,
                          const double* share, double weight) {
    Float peaks = load(z);
    for (Index k = kLanesF; k < K; k += kLanesF) peaks = max(peaks, load(z + k));
    float peak = peaks[0];
    for (int lane = 1; lane < kLanesF; ++lane) peak = peaks[lane] > peak ? peaks[lane] : peak;

    double hit = 0, mass = 0;
    if (code != nullptr) {
        hit = static_cast<double>(z[*code] - peak);
        mass = 1;
    } else {
        for (Index k = 0; k < n_classes; ++k) {
            hit += share[k] * static_cast<double>(z[k] - peak);
            mass += share[k];
        }
    }
    Float sums = {};
    for (Index k = 0; k < K; k += kLanesF) {
        const Float e = exp_of_negative(load(z + k) - peak);
        sums += e;
        store(z + k, e);
    }
    const double normaliser = static_cast<double>(sum<float>(sums));
    const float scale = static_cast<float>(weight * mass / normaliser);
    for (Index k = 0; k < K; k += kLanesF) store(z + k, load(z + k) * scale);
    if (code != nullptr) {
        z[*code] -= static_cast<float>(weight);
    } else {
        for (Index k = 0; k < n_classes; ++k) z[k] -= static_cast<float>(weight * share[k]);
    }
    return weight * (mass * __builtin_log(normaliser) - hit);
}

template <typename T>
double block(const Matrix<const T>& X, const float* W, const float* b, Index n_classes, Index K,
             const std::int32_t* codes, const double* shares, const double* s, float* work,
             double* G) {
    const Index rows = X.rows, cols = X.cols;
    float* Z = work;
    const float* A = narrow(X, work + rows * K);
    cover(rows, K, [&]<int Rows, int Vecs>(Index m, Index k) {
        margins_tile<Rows, Vecs>(cols, A + m * cols, W + k, b + k, K, Z + m * K + k);
    });
    double value = 0;
    for (Index i = 0; i < rows; ++i) {
        value += softmax_row(n_classes, K, Z + i * K, codes == nullptr ? nullptr : codes + i,
                             shares == nullptr ? nullptr : shares + i * n_classes,
                             s == nullptr ? 1.0 : s[i]);
    }
    cover(cols, K, [&]<int Rows, int Vecs>(Index m, Index k) {
        gradient_tile<Rows, Vecs>(rows, cols, A + m, Z + k, K, G + m * K + k);
    });
    double* of_bias = G + cols * K;
    for (Index i = 0; i < rows; ++i) {
        for (Index k = 0; k < K; ++k) of_bias[k] += static_cast<double>(Z[i * K + k]);
    }
    return value;
}

} // namespace

extern const SingleSoftmaxKernels single_softmax;
const SingleSoftmaxKernels single_softmax = {block<float>, block<double>, kLanesF};

} // namespace gramian::GRAMIAN_ISA
