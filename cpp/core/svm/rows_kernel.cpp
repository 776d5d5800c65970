#include "core/svm/map.hpp"

#include <algorithm>

namespace gramian::svm::GRAMIAN_ISA {
namespace {

using namespace simd;

constexpr int kRows = 6; // with panels of two registers: 12 accumulators of the 16 registers

template <typename T>
constexpr int kWidth = 2 * kLanes<T>;

constexpr Index kHotBytes = 64 << 10; // of panels that are read again and again

constexpr double kOctaves = 0x1.71547652b82fep0; // 1 / log 2

// 2^x for x <= 0, not NaN, to about 1e-7 of the result; below -126 it is 2^-126. 2^k 2^f with k the
// integer nearest to x, and 2^f = 1 + f c(f) with the c of degree 5 that is right to 2e-9.
inline Vec<float> exp2_of_negative(Vec<float> x) {
    constexpr float c[] = {0x1.62e43p-1F,  0x1.ebfbdcp-3F,  0x1.c6aee8p-5F,
                           0x1.3b2d4cp-7F, 0x1.5f3e54p-10F, 0x1.41fbbap-13F};
    constexpr float shift = 0x1.8p23F;
    const Vec<float> inside = max(x, broadcast(-126.0F));
    const Vec<float> shifted = inside + shift;
    const Vec<float> f = inside - (shifted - shift);
    Vec<float> p = broadcast(c[5]);
    for (int i = 4; i >= 0; --i) p = p * f + c[i];
    p = p * f + 1.0F;
    return (Vec<float>)((Vec<std::int32_t>)p + ((Vec<std::int32_t>)shifted << 23));
}

template <Form form>
[[gnu::always_inline]] inline void write(const Kernel& kernel, const Vec<float> (&total)[2],
                                         const float* norms, float row_norm, float* out) {
    // float32 is for the Gaussian kernel only (points.cpp)
    const float octaves = static_cast<float>(-kOctaves * kernel.gamma);
    const Vec<float> zero = {};
    for (int h = 0; h < 2; ++h) {
        const Vec<float> sum = load(norms + h * kLanes<float>) + row_norm;
        const Vec<float> square = max(sum - 2.0f * total[h], zero);
        store(out + h * kLanes<float>, exp2_of_negative(octaves * square));
    }
}

template <Form form>
[[gnu::always_inline]] inline void write(const Kernel& kernel, const Vec<double> (&total)[2],
                                         const double* norms, double row_norm, float* out) {
    store(out, map_pair<form>(kernel, total[0], total[1], load(norms) + row_norm,
                              load(norms + kLanes<double>) + row_norm));
}

template <Form form>
[[gnu::always_inline]] inline void write(const Kernel& kernel, const Vec<double> (&total)[2],
                                         const double* norms, double row_norm, double* out) {
    for (int h = 0; h < 2; ++h) {
        const int at = h * kLanes<double>;
        store(out + at, map_exact<form>(kernel, total[h], load(norms + at) + row_norm));
    }
}

// R rows from `first` on, against some panels.
template <typename T, typename V, Form form, int R>
void row_tile(const TileCall<T, V> call, Index begin, Index end, Index first) {
    const T* row[R];
    V* out[R];
    for (int r = 0; r < R; ++r) {
        row[r] = call.rows[first + r];
        out[r] = call.out[first + r];
    }
    for (Index panel = begin; panel < end; ++panel) {
        const T* const x = call.panels + panel * kWidth<T> * call.d;
        const T* const norms = call.column_norms + panel * kWidth<T>;
        Vec<T> total[R][2];
#pragma GCC unroll 6
        for (int r = 0; r < R; ++r) total[r][0] = total[r][1] = Vec<T>{};
        for (Index t = 0; t < call.d; ++t) {
            const Vec<T> x0 = load(x + t * kWidth<T>);
            const Vec<T> x1 = load(x + t * kWidth<T> + kLanes<T>);
#pragma GCC unroll 6
            for (int r = 0; r < R; ++r) {
                const T b = row[r][t];
                total[r][0] = x0 * b + total[r][0];
                total[r][1] = x1 * b + total[r][1];
            }
        }
#pragma GCC unroll 6
        for (int r = 0; r < R; ++r) { // side by side in the registers, without a loop
            write<form>(call.kernel, total[r], norms, call.row_norms[first + r],
                        out[r] + panel * kWidth<T>);
        }
    }
}

// R rows at a time from `row` on, written over many columns: few streams, which the processor
// foresees. Returns the first row that is left.
template <typename T, typename V, Form form, int R>
Index row_tiles(const TileCall<T, V>& call, Index begin, Index end, Index row) {
    for (; row + R <= call.count; row += R) row_tile<T, V, form, R>(call, begin, end, row);
    return row;
}

template <typename T, Form form, typename V>
void rows_of(const TileCall<T, V>& call) {
    const Index bytes = kWidth<T> * call.d * static_cast<Index>(sizeof(T));
    const Index some = std::max(Index{1}, kHotBytes / std::max(Index{1}, bytes));
    for (Index first = call.first; first < call.last; first += some) {
        const Index last = std::min(call.last, first + some);
        Index row = row_tiles<T, V, form, kRows>(call, first, last, 0);
        row = row_tiles<T, V, form, 3>(call, first, last, row);
        row = row_tiles<T, V, form, 2>(call, first, last, row);
        row_tiles<T, V, form, 1>(call, first, last, row);
    }
}

template <typename T, typename V>
void rows(const TileCall<T, V>& call) {
    if constexpr (sizeof(T) == sizeof(float)) {
        rows_of<T, Form::rbf>(call);
    } else {
        switch (call.kernel.form) {
        case Form::linear:
            return rows_of<T, Form::linear>(call);
        case Form::polynomial:
            return rows_of<T, Form::polynomial>(call);
        case Form::rbf:
            return rows_of<T, Form::rbf>(call);
        case Form::sigmoid:
            return rows_of<T, Form::sigmoid>(call);
        }
    }
}

template <typename T>
void norms(const T* panels, Index n_panels, Index d, T* out) {
    for (Index panel = 0; panel < n_panels; ++panel) {
        const T* const x = panels + panel * kWidth<T> * d;
        Vec<T> total[2] = {};
        for (Index t = 0; t < d; ++t) {
            for (int h = 0; h < 2; ++h) {
                const Vec<T> value = load(x + t * kWidth<T> + h * kLanes<T>);
                total[h] = value * value + total[h];
            }
        }
        for (int h = 0; h < 2; ++h) store(out + panel * kWidth<T> + h * kLanes<T>, total[h]);
    }
}

} // namespace

extern const TileTable tile_table;
const TileTable tile_table = {
    {kWidth<float>, rows<float, float>, nullptr, norms<float>},
    {kWidth<double>, rows<double, float>, rows<double, double>, norms<double>},
};

} // namespace gramian::svm::GRAMIAN_ISA
