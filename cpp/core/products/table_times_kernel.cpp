#include "core/products/table_times.hpp"
#include "core/simd/register.hpp"

namespace gramian::products::GRAMIAN_ISA {
namespace {

using namespace simd;

using Wide = Vec<double>;
constexpr int kRegisters = static_cast<int>(kWidth) / kLanes<double>; // of a row of a panel

// Whole rows, side by side: runs of memory as long as they can be.
template <int Rows, typename T>
inline void rows_times(Group<T> x, const double* panel, double* out) {
    Wide sums[Rows][kRegisters] = {};
    for (Index j = 0; j < x.cols; ++j) {
        Wide p[kRegisters];
        for (int v = 0; v < kRegisters; ++v) p[v] = load(panel + j * kWidth + v * kLanes<double>);
        for (int i = 0; i < Rows; ++i) {
            const Wide a = broadcast(static_cast<double>(x.data[i * x.stride + j]));
            for (int v = 0; v < kRegisters; ++v) sums[i][v] += a * p[v];
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 4
        for (int v = 0; v < kRegisters; ++v) {
            store(out + i * kWidth + v * kLanes<double>, sums[i][v]);
        }
    }
}

template <int Rows, typename T>
inline void rows_transposed(Group<T> x, const double* panel, double* out) {
    Wide p[Rows][kRegisters];
    for (int i = 0; i < Rows; ++i) {
        for (int v = 0; v < kRegisters; ++v) {
            p[i][v] = load(panel + i * kWidth + v * kLanes<double>);
        }
    }
    for (Index j = 0; j < x.cols; ++j) {
        double* to = out + j * kWidth;
        Wide sums[kRegisters];
        for (int v = 0; v < kRegisters; ++v) sums[v] = load(to + v * kLanes<double>);
        for (int i = 0; i < Rows; ++i) {
            const Wide a = broadcast(static_cast<double>(x.data[i * x.stride + j]));
            for (int v = 0; v < kRegisters; ++v) sums[v] += a * p[i][v];
        }
        for (int v = 0; v < kRegisters; ++v) store(to + v * kLanes<double>, sums[v]);
    }
}

template <typename T>
Group<T> row_of(Group<T> x, Index i) {
    return {x.data + i * x.stride, 1, x.cols, x.stride};
}

template <typename T>
void times(Group<T> x, const double* panel, double* out) {
    if (x.rows == kRowsAtOnce) return rows_times<kRowsAtOnce>(x, panel, out);
    for (Index i = 0; i < x.rows; ++i) rows_times<1>(row_of(x, i), panel, out + i * kWidth);
}

template <typename T>
void transposed(Group<T> x, const double* panel, double* out) {
    if (x.rows == kRowsAtOnce) return rows_transposed<kRowsAtOnce>(x, panel, out);
    for (Index i = 0; i < x.rows; ++i) rows_transposed<1>(row_of(x, i), panel + i * kWidth, out);
}

constexpr Index kAhead = 64; // entries from the one that is added to one that is fetched

// Two sums, of the even and of the odd entries, so that one waits while the other is computed.
template <typename T, typename I>
void sparse_row(const T* values, const I* columns, Index count, Index known, const double* panel,
                double* out) {
    Wide even[kRegisters] = {}, odd[kRegisters] = {};
    const auto add = [&](Index at, Wide(&sums)[kRegisters]) {
        const double* row = panel + static_cast<Index>(columns[at]) * kWidth;
        const Wide a = broadcast(static_cast<double>(values[at]));
        for (int v = 0; v < kRegisters; ++v) sums[v] += a * load(row + v * kLanes<double>);
    };
    const auto fetch = [&](Index at) {
        const double* row = panel + static_cast<Index>(columns[at]) * kWidth;
        __builtin_prefetch(row);
        __builtin_prefetch(row + kWidth - 1); // may be in the next line
    };
    Index at = 0;
    for (; at + 2 <= count; at += 2) {
        if (at + kAhead + 1 < known) {
            fetch(at + kAhead);
            fetch(at + kAhead + 1);
        }
        add(at, even);
        add(at + 1, odd);
    }
    if (at < count) add(at, even);
    for (int v = 0; v < kRegisters; ++v) store(out + v * kLanes<double>, even[v] + odd[v]);
}

} // namespace

extern const ProductKernels product_kernels;
const ProductKernels product_kernels = {
    {times<float>, transposed<float>}, {times<double>, transposed<double>},
    sparse_row<float, std::int32_t>,   sparse_row<float, std::int64_t>,
    sparse_row<double, std::int32_t>,  sparse_row<double, std::int64_t>,
};

} // namespace gramian::products::GRAMIAN_ISA
