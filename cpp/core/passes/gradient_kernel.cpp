#include "core/passes/gradient.hpp"

#include "core/losses/margin.hpp"
#include "core/losses/softmax.hpp"

namespace gramian::passes::GRAMIAN_ISA {
namespace {

using namespace simd;

constexpr int kLanesD = kLanes<double>;

template <typename Loss>
double loss_block(Index n, double* z, const double* y, const double* s, double* h) {
    Double total = {};
    const auto step = [&](double* z, const double* y, const double* s, double* h) {
        const losses::Point<Double> point = Loss::at(load(z), load(y));
        const Double weight = s == nullptr ? broadcast(1.0) : load(s);
        store(z, weight * point.derivative);
        if (h != nullptr) store(h, weight * point.curvature);
        return weight * point.value;
    };
    Index i = 0;
    for (; i + kLanesD <= n; i += kLanesD) {
        total += step(z + i, y + i, s == nullptr ? s : s + i, h == nullptr ? h : h + i);
    }
    if (i < n) { // the last rows, filled up with weight 0
        double tail_z[kLanesD] = {}, tail_y[kLanesD] = {}, tail_s[kLanesD] = {}, tail_h[kLanesD];
        for (Index t = 0; i + t < n; ++t) {
            tail_z[t] = z[i + t];
            tail_y[t] = y[i + t];
            tail_s[t] = s == nullptr ? 1.0 : s[i + t];
        }
        total += step(tail_z, tail_y, tail_s, tail_h);
        for (Index t = 0; i + t < n; ++t) {
            z[i + t] = tail_z[t];
            if (h != nullptr) h[i + t] = tail_h[t];
        }
    }
    return sum<double>(total);
}

// ---- Dense rows ----

template <int Rows, typename T>
inline void dot_rows(const T* x, Index cols, const double* w, double intercept, double* z) {
    Double part[Rows] = {};
    Index j = 0;
    for (; j + kLanesD <= cols; j += kLanesD) {
        const Double wj = load(w + j);
        for (int r = 0; r < Rows; ++r) part[r] += load_wide(x + r * cols + j) * wj;
    }
    double total[Rows];
    for (int r = 0; r < Rows; ++r) total[r] = intercept + sum<double>(part[r]);
    for (; j < cols; ++j) {
        for (int r = 0; r < Rows; ++r) total[r] += static_cast<double>(x[r * cols + j]) * w[j];
    }
    for (int r = 0; r < Rows; ++r) z[r] = total[r];
}

template <typename T>
void margins(const Matrix<const T>& X, const double* w, double intercept, double* z) {
    Index i = 0;
    for (; i + 4 <= X.rows; i += 4) dot_rows<4>(X.row(i), X.cols, w, intercept, z + i);
    for (; i < X.rows; ++i) dot_rows<1>(X.row(i), X.cols, w, intercept, z + i);
}

template <int Rows, typename T>
inline void add_scaled_rows(const T* x, Index cols, const double* r, double* g) {
    Index j = 0;
    for (; j + kLanesD <= cols; j += kLanesD) {
        Double part = load_wide(x + j) * r[0];
        for (int k = 1; k < Rows; ++k) part += load_wide(x + k * cols + j) * r[k];
        store(g + j, load(g + j) + part);
    }
    for (; j < cols; ++j) {
        for (int k = 0; k < Rows; ++k) g[j] += static_cast<double>(x[k * cols + j]) * r[k];
    }
}

template <typename T>
void add_rows(const Matrix<const T>& X, const double* r, double* g) {
    Index i = 0;
    for (; i + 4 <= X.rows; i += 4) add_scaled_rows<4>(X.row(i), X.cols, r + i, g);
    for (; i < X.rows; ++i) add_scaled_rows<1>(X.row(i), X.cols, r + i, g);
}

// ---- Sparse rows ----

template <typename T, typename I>
void margins(const Csr<const T, I>& X, const double* w, double intercept, double* z) {
    for (Index i = 0; i < X.rows; ++i) {
        double part[4] = {intercept, 0, 0, 0};
        I at = X.offsets[i];
        const I end = X.offsets[i + 1];
        for (; end - at >= 4; at += 4) {
            for (int u = 0; u < 4; ++u) part[u] += X.values[at + u] * w[X.columns[at + u]];
        }
        for (; at < end; ++at) part[0] += X.values[at] * w[X.columns[at]];
        z[i] = (part[0] + part[1]) + (part[2] + part[3]);
    }
}

template <typename T, typename I>
void add_rows(const Csr<const T, I>& X, const double* r, double* g) {
    for (Index i = 0; i < X.rows; ++i) {
        for (I at = X.offsets[i]; at < X.offsets[i + 1]; ++at) {
            g[X.columns[at]] += X.values[at] * r[i];
        }
    }
}

// ---- Several outputs ----

// C[Rows][Vecs registers] += A B, where A(m, k) = a[m * row_step + k * step].
template <int Rows, int Vecs, typename T>
inline void product_tile(Index depth, const T* a, Index row_step, Index step, const double* B,
                         Index ldb, double* C, Index ldc) {
    Double total[Rows][Vecs];
    for (int m = 0; m < Rows; ++m) {
        for (int v = 0; v < Vecs; ++v) total[m][v] = load(C + m * ldc + v * kLanesD);
    }
    for (Index k = 0; k < depth; ++k) {
        Double b[Vecs];
        for (int v = 0; v < Vecs; ++v) b[v] = load(B + k * ldb + v * kLanesD);
        for (int m = 0; m < Rows; ++m) {
            const Double x = broadcast(static_cast<double>(a[m * row_step + k * step]));
            for (int v = 0; v < Vecs; ++v) total[m][v] += x * b[v];
        }
    }
    for (int m = 0; m < Rows; ++m) {
        for (int v = 0; v < Vecs; ++v) store(C + m * ldc + v * kLanesD, total[m][v]);
    }
}

// C (M, K) += A B for A (M, depth) at any steps and B (depth, K); K is a multiple of the lanes.
template <typename T>
void add_product(Index M, Index depth, Index K, const T* a, Index row_step, Index step,
                 const double* B, double* C) {
    constexpr int most_vecs = 3;
    Index k = 0;
    while (k < K) {
        const Index vecs = (K - k) / kLanesD;
        const auto column = [&]<int Vecs>() {
            Index m = 0;
            for (; m + 4 <= M; m += 4) {
                product_tile<4, Vecs>(depth, a + m * row_step, row_step, step, B + k, K,
                                      C + m * K + k, K);
            }
            for (; m < M; ++m) {
                product_tile<1, Vecs>(depth, a + m * row_step, row_step, step, B + k, K,
                                      C + m * K + k, K);
            }
            k += Vecs * kLanesD;
        };
        // four registers are left as two and two, which keeps the multipliers busier than 3 + 1
        if (vecs >= most_vecs && vecs != 4) {
            column.template operator()<3>();
        } else if (vecs >= 2) {
            column.template operator()<2>();
        } else {
            column.template operator()<1>();
        }
    }
}

template <typename View>
void fill_rows(const View& X, const double* b, Index K, double* Z) {
    for (Index i = 0; i < X.rows; ++i)
        std::memcpy(Z + i * K, b, sizeof(double) * static_cast<std::size_t>(K));
}

template <typename T>
void many_margins(const Matrix<const T>& X, const double* W, const double* b, Index K, double* Z) {
    fill_rows(X, b, K, Z);
    add_product(X.rows, X.cols, K, X.data, X.cols, Index(1), W, Z);
}

template <typename T>
void add_many(const Matrix<const T>& X, const double* R, Index K, double* G) {
    add_product(X.cols, X.rows, K, X.data, Index(1), X.cols, R, G);
}

inline void add_scaled(Index K, double scale, const double* from, double* to) {
    for (Index k = 0; k < K; k += kLanesD) store(to + k, load(to + k) + scale * load(from + k));
}

template <typename T, typename I>
void many_margins(const Csr<const T, I>& X, const double* W, const double* b, Index K, double* Z) {
    fill_rows(X, b, K, Z);
    for (Index i = 0; i < X.rows; ++i) {
        for (I at = X.offsets[i]; at < X.offsets[i + 1]; ++at) {
            add_scaled(K, X.values[at], W + X.columns[at] * K, Z + i * K);
        }
    }
}

template <typename T, typename I>
void add_many(const Csr<const T, I>& X, const double* R, Index K, double* G) {
    for (Index i = 0; i < X.rows; ++i) {
        for (I at = X.offsets[i]; at < X.offsets[i + 1]; ++at) {
            add_scaled(K, X.values[at], R + i * K, G + X.columns[at] * K);
        }
    }
}

template <Double (*F)(Double)>
void apply(Index n, const double* x, double* out) {
    for (Index i = 0; i < n; i += kLanesD) {
        double lanes[kLanesD] = {};
        const Index here = n - i < kLanesD ? n - i : kLanesD;
        for (Index t = 0; t < here; ++t) lanes[t] = x[i + t];
        store(lanes, F(load(lanes)));
        for (Index t = 0; t < here; ++t) out[i + t] = lanes[t];
    }
}

template <typename View>
constexpr PassKernels::ForView<View> of() {
    return {margins, add_rows, many_margins, add_many};
}

} // namespace

extern const PassKernels pass_kernels;
const PassKernels pass_kernels = {
    {loss_block<losses::Squared>, loss_block<losses::Logistic>, loss_block<losses::Poisson>,
     loss_block<losses::SquaredSigmoid>, loss_block<losses::SquaredHinge>},
    {of<F32>(), of<F64>(), of<CsrF32I32>(), of<CsrF32I64>(), of<CsrF64I32>(), of<CsrF64I64>()},
    losses::softmax,
    apply<exp>,
    apply<log1p>,
    kLanesD,
};

} // namespace gramian::passes::GRAMIAN_ISA
