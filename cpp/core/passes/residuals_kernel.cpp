// Compiled with -ffp-contract=off: the error terms below vanish if products are fused.
#include "core/passes/residuals.hpp"

#include "core/simd/register.hpp"

namespace gramian::passes::GRAMIAN_ISA {
namespace {

using namespace simd;

using V = Vec<double>;
constexpr int kL = kLanes<double>;

// Error-free transformations (Knuth; Dekker and Veltkamp where there is no fused multiply-add).
template <typename X>
inline X sum_error(X a, X b, X s) {
    const X part = s - a;
    return (a - (s - part)) + (b - part);
}

template <typename X>
inline X product_error_by_splitting(X a, X b, X p) {
    constexpr double factor = 134217729.0; // 2^27 + 1
    const X ca = factor * a, cb = factor * b;
    const X ah = ca - (ca - a), bh = cb - (cb - b);
    const X al = a - ah, bl = b - bh;
    return ((ah * bh - p) + ah * bl + al * bh) + al * bl;
}

#if defined(GRAMIAN_ISA_IS_v3)
inline V product_error(V a, V b, V p) {
    return (V)_mm256_fmsub_pd((__m256d)a, (__m256d)b, (__m256d)p);
}
inline double product_error(double a, double b, double p) {
    return __builtin_fma(a, b, -p);
}
#else
template <typename X>
inline X product_error(X a, X b, X p) {
    return product_error_by_splitting(a, b, p);
}
#endif

// high + low, not normalised: high is the rounded running sum, low gathers its errors.
template <typename X>
struct Pair {
    X high{};
    X low{};

    void add(X x) {
        const X s = high + x;
        low += sum_error(high, x, s);
        high = s;
    }
    // += a * (b + b_low)
    void add_product(X a, X b, X b_low) {
        const X p = a * b;
        low += product_error(a, b, p) + a * b_low;
        add(p);
    }
    void normalise() {
        const X s = high + low;
        low -= s - high;
        high = s;
    }
};

inline V widen(const double* p) {
    return load(p);
}
inline V widen(const float* p) {
#if defined(GRAMIAN_ISA_IS_v3)
    return (V)_mm256_cvtps_pd(_mm_loadu_ps(p));
#else
    V v{};
    for (int l = 0; l < kL; ++l) v[l] = static_cast<double>(p[l]);
    return v;
#endif
}

// y - b - x'c of one row.
template <bool extended, typename T>
inline Pair<double> residual(const T* x, Index d, double y, const double* c, const double* c_low) {
    Pair<double> r;
    Index j = 0;
    if constexpr (extended) {
        Pair<V> dot[2];
        for (; j + 2 * kL <= d; j += 2 * kL) {
            for (int u = 0; u < 2; ++u) {
                const Index at = j + u * kL;
                dot[u].add_product(widen(x + at), load(c + at), load(c_low + at));
            }
        }
        for (int u = 0; u < 2; ++u) {
            for (int l = 0; l < kL; ++l) {
                r.add(-dot[u].high[l]);
                r.low -= dot[u].low[l];
            }
        }
        for (; j < d; ++j) r.add_product(-static_cast<double>(x[j]), c[j], c_low[j]);
        r.add(y);
        r.add(-c[d]);
        r.low -= c_low[d];
        r.normalise();
    } else {
        V dot[4] = {};
        for (; j + 4 * kL <= d; j += 4 * kL) {
            for (int u = 0; u < 4; ++u) dot[u] += widen(x + j + u * kL) * load(c + j + u * kL);
        }
        double total = sum<double>(dot[0] + dot[1] + (dot[2] + dot[3]));
        for (; j < d; ++j) total += static_cast<double>(x[j]) * c[j];
        r.high = y - c[d] - total;
    }
    return r;
}

template <bool extended>
inline void add_to(double* high, double* low, double a, Pair<double> r) {
    if constexpr (extended) {
        Pair<double> g{*high, *low};
        g.add_product(a, r.high, r.low);
        *high = g.high;
        *low = g.low;
    } else {
        *high += a * r.high;
    }
}

// (g, g_low) += r (x, 1) for one row.
template <bool extended, typename T>
inline void correlate(const T* x, Index d, Pair<double> r, double* g, double* g_low) {
    Index j = 0;
    const V r_high = broadcast(r.high), r_low = broadcast(r.low);
    for (; j + kL <= d; j += kL) {
        if constexpr (extended) {
            Pair<V> sum{load(g + j), load(g_low + j)};
            sum.add_product(widen(x + j), r_high, r_low);
            store(g + j, sum.high);
            store(g_low + j, sum.low);
        } else {
            store(g + j, load(g + j) + widen(x + j) * r_high);
        }
    }
    for (; j < d; ++j) add_to<extended>(g + j, g_low + j, static_cast<double>(x[j]), r);
    add_to<extended>(g + d, g_low + d, 1.0, r);
}

inline Pair<double> weighted(Pair<double> r, double w) {
    Pair<double> scaled;
    scaled.add_product(w, r.high, r.low);
    scaled.normalise();
    return scaled;
}

template <bool extended, typename T>
void dense(Matrix<const T> X, Matrix<const double> Y, const double* w, ConstDoubled model,
           Doubled g, double* rss) {
    const Index d = X.cols;
    for (Index i = 0; i < X.rows; ++i) {
        for (Index t = 0; t < Y.cols; ++t) {
            const Index row = t * (d + 1);
            Pair<double> r =
                residual<extended>(X.row(i), d, Y(i, t), model.high + row, model.low + row);
            const double value = r.high;
            if (w) r = weighted(r, w[i]);
            rss[t] += value * r.high;
            correlate<extended>(X.row(i), d, r, g.high + row, g.low + row);
        }
    }
}

template <bool extended, typename T, typename I>
void sparse(Csr<const T, I> X, Matrix<const double> Y, const double* w, ConstDoubled model,
            Doubled g, double* rss) {
    const Index d = X.cols;
    for (Index i = 0; i < X.rows; ++i) {
        const Index begin = X.offsets[i], end = X.offsets[i + 1];
        for (Index t = 0; t < Y.cols; ++t) {
            const Index row = t * (d + 1);
            const double *c = model.high + row, *c_low = model.low + row;
            Pair<double> r;
            for (Index a = begin; a < end; ++a) {
                const double x = static_cast<double>(X.values[a]);
                const Index j = X.columns[a];
                if constexpr (extended) {
                    r.add_product(-x, c[j], c_low[j]);
                } else {
                    r.high -= x * c[j];
                }
            }
            r.add(Y(i, t));
            r.add(-c[d]);
            if constexpr (extended) r.low -= c_low[d];
            r.normalise();
            const double value = r.high;
            if (w) r = weighted(r, w[i]);
            rss[t] += value * r.high;
            double *sum = g.high + row, *sum_low = g.low + row;
            for (Index a = begin; a < end; ++a) {
                const Index j = X.columns[a];
                add_to<extended>(sum + j, sum_low + j, static_cast<double>(X.values[a]), r);
            }
            add_to<extended>(sum + d, sum_low + d, 1.0, r);
        }
    }
}

void merge(Doubled total, ConstDoubled part, Index size) {
    for (Index j = 0; j < size; ++j) {
        Pair<double> sum{total.high[j], total.low[j]};
        sum.add(part.high[j]);
        sum.low += part.low[j];
        sum.normalise();
        total.high[j] = sum.high;
        total.low[j] = sum.low;
    }
}

} // namespace

extern const ResidualKernels residual_kernels;
const ResidualKernels residual_kernels = {
    {dense<false, float>, dense<true, float>},
    {dense<false, double>, dense<true, double>},
    {sparse<false, float, std::int32_t>, sparse<true, float, std::int32_t>},
    {sparse<false, float, std::int64_t>, sparse<true, float, std::int64_t>},
    {sparse<false, double, std::int32_t>, sparse<true, double, std::int32_t>},
    {sparse<false, double, std::int64_t>, sparse<true, double, std::int64_t>},
    merge,
};

} // namespace gramian::passes::GRAMIAN_ISA
