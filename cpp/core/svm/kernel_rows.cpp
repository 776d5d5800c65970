// Kernel rows of all columns, by blocks on the threads.
#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"
#include "core/svm/points.hpp"

#include <algorithm>

GRAMIAN_DISPATCH(svm, SolverTable, solver_table, solver_tables)

namespace gramian::svm {

void kernel_matrix(const Points& points, Vector<const std::int32_t> ids, Matrix<float> out) {
    const Index n = ids.size;
    const std::unique_ptr<Columns> columns = points.columns(ids.data, n);
    const runtime::Blocks rows{n, kRowBatch};
    runtime::parallel_for(
        rows.count(),
        [&](Index b) {
            // A row of the matrix need not have room for padding.
            const Index first = rows.begin(b), count = rows.end(b) - first;
            std::vector<float> room(static_cast<std::size_t>(count * padded(n)));
            std::vector<float*> to(static_cast<std::size_t>(count));
            for (Index r = 0; r < count; ++r) to[r] = room.data() + r * padded(n);
            columns->rows(points, ids.data + first, count, 0, n, to.data());
            for (Index r = 0; r < count; ++r) std::copy(to[r], to[r] + n, out.row(first + r));
        },
        n * n < 20000 ? 1 : 0);
}

template <typename V>
void add_kernel_rows(const Points& points, const Columns& columns, const std::int32_t* ids,
                     const double* factors, Index count, double* g) {
    const runtime::Blocks blocks{columns.size(), kColumnBlock};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            const Index begin = blocks.begin(b), end = blocks.end(b);
            std::vector<V> room(static_cast<std::size_t>(kRowBatch * kColumnBlock));
            V* to[kRowBatch];
            for (Index r = 0; r < kRowBatch; ++r) to[r] = room.data() + r * kColumnBlock - begin;
            for (Index first = 0; first < count; first += kRowBatch) {
                runtime::poll_interrupt();
                const Index some = std::min(kRowBatch, count - first);
                columns.rows(points, ids + first, some, begin, end, to);
                solver_kernels<V>().add_rows(to, factors + first, some, begin, end, g);
            }
        },
        count * columns.size() < 20000 ? 1 : 0);
}

template void add_kernel_rows<float>(const Points&, const Columns&, const std::int32_t*,
                                     const double*, Index, double*);
template void add_kernel_rows<double>(const Points&, const Columns&, const std::int32_t*,
                                      const double*, Index, double*);

} // namespace gramian::svm
