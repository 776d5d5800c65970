#include "core/distance/tile.hpp"
#include "core/simd/register.hpp"

namespace gramian::distance::GRAMIAN_ISA {
namespace {

using namespace simd;

constexpr int kHalf = kLanes<float>;
constexpr int kWidth = 2 * kHalf;

template <typename T>
void pack_panel(const T* const* points, Index d, const T* shift, T scale, float factor,
                float* panel, float* norms) {
    Vec<float> square[2] = {};
    Index t = 0;
    for (; t + kHalf <= d; t += kHalf) {
        for (int h = 0; h < 2; ++h) {
            Vec<float> block[kHalf];
            for (int i = 0; i < kHalf; ++i) {
                block[i] = load_shifted(points[h * kHalf + i] + t, shift + t, scale);
            }
            transpose(block);
            for (int i = 0; i < kHalf; ++i) {
                square[h] += block[i] * block[i];
                store(panel + (t + i) * kWidth + h * kHalf, block[i] * factor);
            }
        }
    }
    for (; t < d; ++t) {
        float column[kWidth];
        for (int lane = 0; lane < kWidth; ++lane) {
            column[lane] = static_cast<float>((points[lane][t] - shift[t]) * scale);
        }
        for (int h = 0; h < 2; ++h) {
            const Vec<float> x = load(column + h * kHalf);
            square[h] += x * x;
            store(panel + t * kWidth + h * kHalf, x * factor);
        }
    }
    store(norms, square[0]);
    store(norms + kHalf, square[1]);
}

template <typename T>
double pack_rows(const T* rows, Index n, Index d, const T* shift, T scale, float* packed,
                 float* norms) {
    double largest = 0;
    const double wide_scale = scale;
    for (Index i = 0; i < n; ++i) {
        const T* x = rows + i * d;
        float* out = packed + i * d;
        Vec<double> square = {};
        Index t = 0;
        for (; t + kHalf <= d; t += kHalf) {
            store(out + t, load_shifted(x + t, shift + t, scale));
            for (int h = 0; h < 2; ++h) {
                const Index at = t + h * kLanes<double>;
                const Vec<double> v = (load_wide(x + at) - load_wide(shift + at)) * wide_scale;
                square += v * v;
            }
        }
        double total = sum<double>(square);
        for (; t < d; ++t) {
            out[t] = static_cast<float>((x[t] - shift[t]) * scale);
            const double v =
                (static_cast<double>(x[t]) - static_cast<double>(shift[t])) * wide_scale;
            total += v * v;
        }
        norms[i] = static_cast<float>(total);
        if (!(total <= largest)) largest = total;
    }
    return largest;
}

template <typename T>
void convert_rows(const T* rows, Index n, Index d, const T* shift, T scale, float* packed) {
    for (Index i = 0; i < n; ++i) {
        const T* x = rows + i * d;
        float* out = packed + i * d;
        Index t = 0;
        for (; t + kHalf <= d; t += kHalf) store(out + t, load_shifted(x + t, shift + t, scale));
        for (; t < d; ++t) out[t] = static_cast<float>((x[t] - shift[t]) * scale);
    }
}

// --- exact distances
// ------------------------------------------------------------------------------

struct SumOfSquares {
    static Vec<double> step(Vec<double> total, Vec<double> v) { return v * v + total; }
    static double step(double total, double v) { return v * v + total; }
};
struct SumOfAbsolutes {
    static Vec<double> step(Vec<double> total, Vec<double> v) { return total + abs(v); }
    static double step(double total, double v) { return total + __builtin_fabs(v); }
};

template <typename Norm, typename T, typename C>
[[gnu::always_inline]] inline double sum_of_differences(const T* x, const C* c, Index d) {
    constexpr int lanes = kLanes<double>, chains = 4;
    double rest = 0;
    Index t = 0;
    if (d >= lanes) {
        Vec<double> total[chains] = {};
        for (; t + chains * lanes <= d; t += chains * lanes) {
            for (int u = 0; u < chains; ++u) {
                const Index at = t + u * lanes;
                total[u] = Norm::step(total[u], load_wide(x + at) - load_wide(c + at));
            }
        }
        for (; t + lanes <= d; t += lanes) {
            total[0] = Norm::step(total[0], load_wide(x + t) - load_wide(c + t));
        }
        rest = sum<double>((total[0] + total[1]) + (total[2] + total[3]));
    }
    for (; t < d; ++t)
        rest = Norm::step(rest, static_cast<double>(x[t]) - static_cast<double>(c[t]));
    return rest;
}

template <typename T, typename C>
double squared(const T* x, const C* c, Index d) {
    return sum_of_differences<SumOfSquares>(x, c, d);
}

template <typename T>
void squared_to_assigned(const T* X, Index d, const double* centers, const Index* rows, Index n,
                         const std::int32_t* labels, double* out) {
    for (Index r = 0; r < n; ++r) {
        const Index i = rows[r];
        out[r] = sum_of_differences<SumOfSquares>(X + i * d, centers + labels[i] * d, d);
    }
}

template <typename T>
void squared_to_all(const T* x, const double* rows, Index n, Index d, double* out) {
    for (Index j = 0; j < n; ++j) out[j] = sum_of_differences<SumOfSquares>(x, rows + j * d, d);
}

template <typename T>
double manhattan(const T* x, const T* c, Index d) {
    return sum_of_differences<SumOfAbsolutes>(x, c, d);
}

template <typename T>
double chebyshev(const T* x, const T* c, Index d) {
    double largest = 0;
    for (Index t = 0; t < d; ++t) {
        const double v = __builtin_fabs(static_cast<double>(x[t]) - static_cast<double>(c[t]));
        if (v > largest) largest = v;
    }
    return largest;
}

// --- sums over rows ---------------------------------------------------------------------------

template <typename T>
inline void add_row(double* sum, const T* x, double weight, Index d) {
    constexpr int lanes = kLanes<double>;
    Index t = 0;
    for (; t + lanes <= d; t += lanes) store(sum + t, load(sum + t) + weight * load_wide(x + t));
    for (; t < d; ++t) sum[t] += weight * static_cast<double>(x[t]);
}

template <typename T>
void move(const T* X, Index begin, Index end, Index d, const double* weights, std::int32_t* before,
          const std::int32_t* after, ClusterSums clusters) {
    const auto [sums, totals, members] = clusters;
    constexpr int lanes = kLanes<std::int32_t>;
    for (Index i = begin; i < end; ++i) {
        if (before[i] == after[i]) {
            while (i + lanes < end && // whole registers of rows that stay
                   !mask_bits(load(before + i + 1) != load(after + i + 1))) {
                i += lanes;
            }
            continue;
        }
        const double weight = weights ? weights[i] : 1.0;
        const T* x = X + i * d;
        if (before[i] >= 0) {
            add_row(sums + before[i] * d, x, -weight, d);
            totals[before[i]] -= weight;
            members[before[i]] -= weight > 0;
        }
        add_row(sums + after[i] * d, x, weight, d);
        totals[after[i]] += weight;
        members[after[i]] += weight > 0;
        before[i] = after[i];
    }
}

template <typename T>
double moments(const T* X, Index n, Index d, const T* shift, const double* weights, double* sum,
               double* square) {
    constexpr int lanes = kLanes<double>;
    double total = 0;
    for (Index i = 0; i < n; ++i) {
        const T* x = X + i * d;
        Vec<double> row = {};
        Index t = 0;
        for (; t + lanes <= d; t += lanes) {
            const Vec<double> v = load_wide(x + t) - load_wide(shift + t);
            const Vec<double> v2 = v * v;
            store(sum + t, load(sum + t) + v);
            store(square + t, load(square + t) + v2);
            row += v2;
        }
        double of_row = simd::sum<double>(row);
        for (; t < d; ++t) {
            const double v = static_cast<double>(x[t]) - static_cast<double>(shift[t]);
            sum[t] += v;
            square[t] += v * v;
            of_row += v * v;
        }
        total += (weights ? weights[i] : 1.0) * of_row;
    }
    return total;
}

template <typename T>
constexpr RowKernels<T> table = {pack_panel<T>,     pack_rows<T>,       convert_rows<T>,
                                 squared<T, T>,     squared<T, double>, squared_to_assigned<T>,
                                 squared_to_all<T>, manhattan<T>,       chebyshev<T>,
                                 move<T>,           moments<T>};

} // namespace

extern const RowKernelTable row_table;
const RowKernelTable row_table = {table<float>, table<double>};

} // namespace gramian::distance::GRAMIAN_ISA
