#include "core/moments/class_sums.hpp"

#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <vector>

GRAMIAN_DISPATCH(moments, SumKernels, sum_kernels, sum_table)

namespace gramian::moments {
namespace {

constexpr Index kRowsPerBlock = 8192;
constexpr Index kSlotBytes = 32 << 20; // sums of blocks that wait to be added in order
constexpr Index kSerialCells = 200000; // below this, threads cost more than they save

void add_row(const float* x, Index d, const double* shift, double w, double* sums,
             double* squares) {
    sum_table().add_f(x, d, shift, w, sums, squares);
}
void add_row(const double* x, Index d, const double* shift, double w, double* sums,
             double* squares) {
    sum_table().add_d(x, d, shift, w, sums, squares);
}

// The sums of one block: weights, sums, squares, one after the other.
struct Slot {
    Index classes;
    Index cols;
    std::vector<double> values;

    Slot(Index K, Index d, bool squares)
        : classes(K), cols(d), values(static_cast<std::size_t>(K + (squares ? 2 : 1) * K * d)) {}
    double* weights() { return values.data(); }
    double* sums(Index k) { return values.data() + classes + k * cols; }
    double* squares(Index k) { return values.data() + classes + (classes + k) * cols; }

    void flush(const ClassSums& out) {
        const Index cells = classes * cols;
        for (Index k = 0; k < classes; ++k) out.weights[k] += weights()[k];
        for (Index c = 0; c < cells; ++c) out.sums.data[c] += sums(0)[c];
        if (out.squares.data) {
            for (Index c = 0; c < cells; ++c) out.squares.data[c] += squares(0)[c];
        }
        std::fill(values.begin(), values.end(), 0.0);
    }
};

// Calls body(slot, begin, end) for every block of rows and adds the sums in order.
template <typename Body>
void in_blocks(const runtime::Blocks& blocks, Index cells, const ClassSums& out, Body&& body) {
    const Index K = out.sums.rows, d = out.sums.cols;
    const bool both = out.squares.data != nullptr;
    const Index bytes = std::max<Index>(1, K * d * (both ? 16 : 8));
    const Index most = std::clamp<Index>(kSlotBytes / bytes, 4, 64);
    const Index n_blocks = blocks.count();
    std::vector<Slot> slots(static_cast<std::size_t>(std::min(most, n_blocks)), Slot(K, d, both));
    for (Index wave = 0; wave < n_blocks; wave += most) {
        const Index count = std::min(most, n_blocks - wave);
        runtime::parallel_for(
            count,
            [&](Index slot) {
                body(slots[static_cast<std::size_t>(slot)], blocks.begin(wave + slot),
                     blocks.end(wave + slot));
            },
            cells < kSerialCells ? 1 : 0);
        for (Index slot = 0; slot < count; ++slot) slots[static_cast<std::size_t>(slot)].flush(out);
    }
}

} // namespace

template <typename T>
void class_sums(Matrix<const T> X, const ClassRows& rows, Matrix<const double> shifts,
                const ClassSums& out) {
    in_blocks({X.rows, kRowsPerBlock}, X.rows * X.cols, out,
              [&](Slot& slot, Index begin, Index end) {
                  for (Index i = begin; i < end; ++i) {
                      const Index k = rows.codes[i];
                      const double w = rows.weights ? rows.weights[i] : 1.0;
                      slot.weights()[k] += w;
                      add_row(X.row(i), X.cols, shifts.row(k), w, slot.sums(k), slot.squares(k));
                  }
              });
}

namespace {

// Adds a sparse row to the sums of its class.
template <typename T, typename I>
inline void add_sparse(Csr<const T, I> X, Index i, double w, double* sums, double* squares) {
    for (I at = X.offsets[i]; at < X.offsets[i + 1]; ++at) {
        const double v = static_cast<double>(X.values[at]);
        sums[X.columns[at]] += w * v;
        if (squares) squares[X.columns[at]] += w * v * v;
    }
}

// Rows of one class are scattered in memory: prefetches the entries of a row.
template <typename T, typename I>
inline void prefetch(Csr<const T, I> X, Index i) {
    constexpr Index line = 64;
    const Index at = static_cast<Index>(X.offsets[i]), end = static_cast<Index>(X.offsets[i + 1]);
    for (Index e = at; e < end; e += line / sizeof(T)) __builtin_prefetch(X.values + e);
    for (Index e = at; e < end; e += line / sizeof(I)) __builtin_prefetch(X.columns + e);
}

// The rows of each class, one class after the other, in their order.
struct ByClass {
    std::vector<Index> begin, rows;

    ByClass(const std::int32_t* codes, Index n, Index classes)
        : begin(static_cast<std::size_t>(classes) + 1), rows(static_cast<std::size_t>(n)) {
        for (Index i = 0; i < n; ++i) ++begin[static_cast<std::size_t>(codes[i]) + 1];
        for (std::size_t k = 1; k < begin.size(); ++k) begin[k] += begin[k - 1];
        std::vector<Index> next(begin.begin(), begin.end() - 1);
        for (Index i = 0; i < n; ++i) {
            Index& place = next[static_cast<std::size_t>(codes[i])];
            rows[static_cast<std::size_t>(place++)] = i;
        }
    }
};

} // namespace

template <typename T, typename I>
void class_sums(Csr<const T, I> X, const ClassRows& rows, const ClassSums& out) {
    const Index stored = static_cast<Index>(X.offsets[X.rows] - X.offsets[0]);
    const Index K = out.sums.rows;
    // A block must have more entries than its sums have cells to merge.
    const Index parts = std::clamp<Index>(stored / std::max<Index>(1, 4 * K * X.cols), 1, 16);
    const auto weight = [&](Index i) { return rows.weights ? rows.weights[i] : 1.0; };
    if (parts < 4) { // class by class: each has a thread, and sums that stay in the cache
        const ByClass order(rows.codes, X.rows, K);
        runtime::parallel_for(
            K,
            [&](Index k) {
                const std::size_t at = static_cast<std::size_t>(k);
                double* squares = out.squares.data ? out.squares.row(k) : nullptr;
                const Index* row = order.rows.data();
                for (Index r = order.begin[at]; r < order.begin[at + 1]; ++r) {
                    const Index i = row[r];
                    prefetch(X, row[std::min(r + 2, order.begin[at + 1] - 1)]);
                    out.weights[k] += weight(i);
                    add_sparse(X, i, weight(i), out.sums.row(k), squares);
                }
            },
            stored < kSerialCells ? 1 : 0);
        return;
    }
    const runtime::Blocks blocks{X.rows, std::max<Index>(1024, (X.rows + parts - 1) / parts)};
    in_blocks(blocks, stored, out, [&](Slot& slot, Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            const Index k = rows.codes[i];
            slot.weights()[k] += weight(i);
            add_sparse(X, i, weight(i), slot.sums(k), out.squares.data ? slot.squares(k) : nullptr);
        }
    });
}

#define GRAMIAN_SUMS(T)                                                                            \
    template void class_sums(Matrix<const T>, const ClassRows&, Matrix<const double>,              \
                             const ClassSums&);                                                    \
    template void class_sums(Csr<const T, std::int32_t>, const ClassRows&, const ClassSums&);      \
    template void class_sums(Csr<const T, std::int64_t>, const ClassRows&, const ClassSums&);
GRAMIAN_SUMS(float)
GRAMIAN_SUMS(double)
#undef GRAMIAN_SUMS

} // namespace gramian::moments
