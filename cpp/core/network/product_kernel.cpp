#include "core/network/product.hpp"

#include "core/simd/register.hpp"

namespace gramian::network::GRAMIAN_ISA {
namespace {

using namespace simd;

constexpr int kTileRows = 6;  // by 2 registers: 12 sums, of 16 registers
constexpr Index kInner = 256; // terms between two visits of C: the panel of B stays in the cache

// The sums of a tile begin with the numbers at `from`: those of C, the start of every row
// (from_row = 0), or zeros.
template <typename T>
struct Begin {
    const T* from;
    Index from_row;
};

// Rows x (Registers * lanes) numbers of C; inner >= 1, and with that known the compiler keeps the
// sums in registers from their beginning to C.
template <typename T, int Rows, int Registers>
inline void tile(const T* a, Index a_row, Index a_inner, const T* b, Index b_row, Index inner, T* c,
                 Index c_row, Begin<T> begin) {
    constexpr int lanes = kLanes<T>;
    Vec<T> sums[Rows][Registers];
    const T* row[Rows];
#pragma GCC unroll 6
    for (int i = 0; i < Rows; ++i) {
        row[i] = a + i * a_row;
#pragma GCC unroll 2
        for (int r = 0; r < Registers; ++r) {
            sums[i][r] = load(begin.from + i * begin.from_row + r * lanes);
        }
    }
    Index k = 0, at = 0;
    do {
        Vec<T> right[Registers];
#pragma GCC unroll 2
        for (int r = 0; r < Registers; ++r) right[r] = load(b + r * lanes);
#pragma GCC unroll 6
        for (int i = 0; i < Rows; ++i) {
            const Vec<T> left = broadcast(row[i][at]);
#pragma GCC unroll 2
            for (int r = 0; r < Registers; ++r) sums[i][r] += left * right[r];
        }
        at += a_inner;
        b += b_row;
    } while (++k < inner);
#pragma GCC unroll 6
    for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 2
        for (int r = 0; r < Registers; ++r) store(c + i * c_row + r * lanes, sums[i][r]);
    }
}

template <typename T, int Registers>
void panel(const T* a, Index a_row, Index a_inner, const T* b, Index b_row, Index inner, T* c,
           Index c_row, Begin<T> begin, Index rows) {
    const auto run = [&]<int Rows>() {
        tile<T, Rows, Registers>(a, a_row, a_inner, b, b_row, inner, c, c_row, begin);
        a += Rows * a_row;
        c += Rows * c_row;
        begin.from += Rows * begin.from_row;
        rows -= Rows;
    };
    while (rows == kTileRows || rows > kTileRows + 2) run.template operator()<kTileRows>();
    if (rows > kTileRows) run.template operator()<4>(); // one or two rows alone have too few sums
    switch (rows) {
    case 5:
        return run.template operator()<5>();
    case 4:
        return run.template operator()<4>();
    case 3:
        return run.template operator()<3>();
    case 2:
        return run.template operator()<2>();
    case 1:
        return run.template operator()<1>();
    default:
        return;
    }
}

template <typename T>
void multiply(const Product<T>& p) {
    constexpr Index lanes = kLanes<T>, width = 2 * lanes;
    static constexpr T zeros[width] = {};
    for (Index k = 0; k < p.inner; k += kInner) {
        const Index inner = p.inner - k < kInner ? p.inner - k : kInner;
        const bool add = p.add || k > 0;
        for (Index j = 0; j < p.cols; j += width) {
            const bool whole = p.cols - j >= width;
            const Index own = whole ? width : lanes; // the length of a packed row
            const Index b_row = p.b_row ? p.b_row : own;
            const Index c_row = p.c_row ? p.c_row : own;
            const T* b = p.b + (p.b_row ? j : j * p.inner) + k * b_row;
            T* c = p.c + (p.c_row ? j : j * p.c_rows);
            const T* a = p.a + k * p.a_inner;
            const Begin<T> begin{add ? c : p.start ? p.start + j : zeros, add ? c_row : 0};
            const auto run = whole ? panel<T, 2> : panel<T, 1>;
            run(a, p.a_row, p.a_inner, b, b_row, inner, c, c_row, begin, p.rows);
        }
    }
}

template <typename T, int Registers>
inline void columns(const T* x, const T* w, const T* bias, Index in, Index out, T* z) {
    constexpr int lanes = kLanes<T>;
    Vec<T> sums[Registers];
#pragma GCC unroll 4
    for (int r = 0; r < Registers; ++r) sums[r] = load(bias + r * lanes);
    for (Index k = 0; k < in; ++k, w += out) {
        const Vec<T> left = broadcast(x[k]);
#pragma GCC unroll 4
        for (int r = 0; r < Registers; ++r) sums[r] += left * load(w + r * lanes);
    }
#pragma GCC unroll 4
    for (int r = 0; r < Registers; ++r) store(z + r * lanes, sums[r]);
}

// Fewer columns than a register has lanes.
template <typename T>
inline void few_columns(const T* x, const T* w, const T* bias, Index in, Index out, T* z) {
    Vec<T> sums{};
    for (Index j = 0; j < out; ++j) sums[j] = bias[j];
    for (Index k = 0; k < in; ++k, w += out) {
        Vec<T> right{};
        for (Index j = 0; j < out; ++j) right[j] = w[j];
        sums += broadcast(x[k]) * right;
    }
    for (Index j = 0; j < out; ++j) z[j] = sums[j];
}

template <typename T>
void multiply_row(const T* x, const T* w, const T* bias, Index in, Index out, T* z) {
    constexpr Index lanes = kLanes<T>;
    if (out < lanes) return few_columns(x, w, bias, in, out, z);
    Index j = 0;
    for (; j + 4 * lanes <= out; j += 4 * lanes) {
        columns<T, 4>(x, w + j, bias + j, in, out, z + j);
    }
    for (; j < out; j += lanes) {
        if (j + lanes > out) j = out - lanes; // some columns twice
        columns<T, 1>(x, w + j, bias + j, in, out, z + j);
    }
}

// Sums in lanes, then over the lanes; of some rows at once, so that one waits for another's sums.
template <typename T, int Rows>
inline void column(const T* a, Index a_row, const T* w, T bias, Index cols, T* c, Index c_row) {
    constexpr Index lanes = kLanes<T>;
    Vec<T> sums[Rows] = {};
    for (Index k = 0; k < cols; k += lanes) {
        const Vec<T> right = load(w + k);
#pragma GCC unroll 4
        for (int i = 0; i < Rows; ++i) sums[i] += load(a + i * a_row + k) * right;
    }
#pragma GCC unroll 4
    for (int i = 0; i < Rows; ++i) store(c + i * c_row, Vec<T>{bias + sum<T>(sums[i])});
}

template <typename T>
void multiply_column(const T* a, Index a_row, const T* w, T bias, Index rows, Index cols, T* c,
                     Index c_row) {
    Index i = 0;
    for (; i + 4 <= rows; i += 4) {
        column<T, 4>(a + i * a_row, a_row, w, bias, cols, c + i * c_row, c_row);
    }
    for (; i < rows; ++i) column<T, 1>(a + i * a_row, a_row, w, bias, cols, c + i * c_row, c_row);
}

template <typename T, int Registers>
inline void sum_columns(const T* a, Index a_row, const T* d, Index d_row, Index rows, bool add,
                        T* sums) {
    constexpr Index lanes = kLanes<T>;
    Vec<T> total[Registers];
#pragma GCC unroll 8
    for (int r = 0; r < Registers; ++r) total[r] = add ? load(sums + r * lanes) : Vec<T>{};
    for (Index i = 0; i < rows; ++i) {
        const T left = d[i * d_row];
#pragma GCC unroll 8
        for (int r = 0; r < Registers; ++r) total[r] += left * load(a + i * a_row + r * lanes);
    }
#pragma GCC unroll 8
    for (int r = 0; r < Registers; ++r) store(sums + r * lanes, total[r]);
}

template <typename T>
void sum_rows(const T* a, Index a_row, const T* d, Index d_row, Index rows, Index cols, bool add,
              T* sums) {
    constexpr Index lanes = kLanes<T>;
    Index k = 0;
    for (; k + 8 * lanes <= cols; k += 8 * lanes) {
        sum_columns<T, 8>(a + k, a_row, d, d_row, rows, add, sums + k);
    }
    for (; k + 2 * lanes <= cols; k += 2 * lanes) {
        sum_columns<T, 2>(a + k, a_row, d, d_row, rows, add, sums + k);
    }
    if (k < cols) sum_columns<T, 1>(a + k, a_row, d, d_row, rows, add, sums + k);
}

template <typename T>
constexpr ProductKernels<T> of() {
    return {kLanes<T>, multiply<T>, multiply_row<T>, multiply_column<T>, sum_rows<T>};
}

} // namespace

extern const AllProductKernels product_kernels;
const AllProductKernels product_kernels = {of<float>(), of<double>()};

} // namespace gramian::network::GRAMIAN_ISA
