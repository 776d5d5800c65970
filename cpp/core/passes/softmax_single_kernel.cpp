#include "core/passes/gradient.hpp"

#include "core/losses/softmax_single.hpp"

namespace gramian::passes::GRAMIAN_ISA {
namespace {

using namespace simd;

constexpr int kLanesF = kLanes<float>;

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

template <typename T>
double block(const Matrix<const T>& X, const SoftmaxCoef& coef, const std::int32_t* codes,
             const double* proportions, const double* s, float* work, double* G) {
    const float *W = coef.W, *b = coef.b;
    const Index rows = X.rows, cols = X.cols, n_classes = coef.n_classes, K = coef.K;
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
    const losses::ClassRows targets{n_classes, codes, proportions, s};
    double value = 0;
    for (Index i = 0; i < rows; i += kLanesF) {
        const Index here = rows - i < kLanesF ? rows - i : kLanesF;
        value += losses::softmax_rows(targets, i, here, Z, K, height, R);
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
