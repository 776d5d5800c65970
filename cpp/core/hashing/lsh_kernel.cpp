#include "core/hashing/lsh.hpp"

#include "core/simd/register.hpp"

namespace gramian::hashing::GRAMIAN_ISA {
namespace {

using namespace simd;

// --- projections ---------------------------------------------------------------------------------

// Rows rows by N registers of directions.
template <int Rows, int N, typename T>
[[gnu::always_inline]] inline void tile(const T* X, Index d, const T* directions, Index m, T* out) {
    constexpr int lanes = kLanes<T>;
    Vec<T> sums[Rows][N] = {};
    for (Index t = 0; t < d; ++t) {
        Vec<T> a[N];
        for (int v = 0; v < N; ++v) a[v] = load(directions + t * m + v * lanes);
        for (int i = 0; i < Rows; ++i) {
            const Vec<T> x = broadcast(X[i * d + t]);
            for (int v = 0; v < N; ++v) sums[i][v] += x * a[v];
        }
    }
    for (int i = 0; i < Rows; ++i) {
        for (int v = 0; v < N; ++v) store(out + i * m + v * lanes, sums[i][v]);
    }
}

template <typename T>
void project(const T* X, Index n, Index d, const T* directions, Index m, T* out) {
    constexpr int together = 2; // registers, which divide the padding for every instruction set
    for (Index j = 0; j < m; j += together * kLanes<T>) {
        Index i = 0;
        for (; i + 4 <= n; i += 4) {
            tile<4, together>(X + i * d, d, directions + j, m, out + i * m + j);
        }
        for (; i < n; ++i) tile<1, together>(X + i * d, d, directions + j, m, out + i * m + j);
    }
}

// --- bounds --------------------------------------------------------------------------------------

constexpr Index kChunk = 1 << 15; // differences whose squares, below 2^16, fit into 32 bits

inline double squared(const std::uint8_t* x, const std::uint8_t* q, Index d) {
    double total = 0;
    for (Index begin = 0; begin < d; begin += kChunk) {
        const Index end = begin + kChunk < d ? begin + kChunk : d;
        std::int32_t sum = 0;
        for (Index t = begin; t < end; ++t) {
            const auto v = static_cast<std::int16_t>(x[t] - q[t]);
            sum += v * v;
        }
        total += sum;
    }
    return total;
}

void bound(const std::uint8_t* codes, const float* errors, double step, Index d,
           const std::uint8_t* q, const std::int32_t* rows, Index n, float* out) {
    constexpr Index ahead = 8, line = 64;
    constexpr double less = 1 - 1e-6, more = 1 + 1e-6; // than which the roundings here are smaller
    for (Index c = 0; c < n; ++c) {
        if (c + ahead < n) { // the rows are scattered: prefetch the next ones
            const std::uint8_t* next = codes + static_cast<Index>(rows[c + ahead]) * d;
            for (Index t = 0; t < d; t += line) __builtin_prefetch(next + t);
        }
        const Index row = rows[c];
        const double apart = step * __builtin_sqrt(squared(codes + row * d, q, d));
        const double least = apart * less - static_cast<double>(errors[row]) * more;
        // inf - inf is NaN if the distance overflows: then there is no bound.
        out[c] = least == least ? static_cast<float>(least) : -__builtin_inff();
    }
}

} // namespace

extern const HashKernels lsh_kernels;
const HashKernels lsh_kernels = {project<float>, project<double>, bound};

} // namespace gramian::hashing::GRAMIAN_ISA
