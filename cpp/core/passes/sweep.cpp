#include "core/passes/sweep.hpp"

#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"
#include "core/runtime/shuffle.hpp"

#include <algorithm>
#include <vector>

GRAMIAN_DISPATCH(passes, SweepKernels, sweep_kernels, sweep_table)

namespace gramian::passes {
namespace {

constexpr Index kPiece = 4;     // neighbours visited together; longer runs take more sweeps
constexpr Index kVisits = 4096; // between two looks for Ctrl-C
constexpr Index kRows = 4096;   // of a block of norms

template <typename View>
const SweepKernels::Of<View>& kernels_for();
#define GRAMIAN_VIEW(View, member)                                                                 \
    template <>                                                                                    \
    const SweepKernels::Of<View>& kernels_for<View>() {                                            \
        return sweep_table().member;                                                               \
    }
using F32 = Matrix<const float>;
using F64 = Matrix<const double>;
using CsrF32I32 = Csr<const float, std::int32_t>;
using CsrF32I64 = Csr<const float, std::int64_t>;
using CsrF64I32 = Csr<const double, std::int32_t>;
using CsrF64I64 = Csr<const double, std::int64_t>;
GRAMIAN_VIEW(F32, f32)
GRAMIAN_VIEW(F64, f64)
GRAMIAN_VIEW(CsrF32I32, csr_f32_i32)
GRAMIAN_VIEW(CsrF32I64, csr_f32_i64)
GRAMIAN_VIEW(CsrF64I32, csr_f64_i32)
GRAMIAN_VIEW(CsrF64I64, csr_f64_i64)
#undef GRAMIAN_VIEW

template <typename T>
Matrix<T> rows_of(const Matrix<T>& X, Index begin, Index end) {
    return {X.row(begin), end - begin, X.cols};
}
template <typename T, typename I>
Csr<T, I> rows_of(const Csr<T, I>& X, Index begin, Index end) {
    return {X.values, X.columns, X.offsets + begin, end - begin, X.cols};
}

// The active rows become those that are still in the order, ascending.
void keep(Sweep& state, const std::vector<std::int32_t>& order, Index rows) {
    std::vector<char> stays(static_cast<std::size_t>(rows), 0);
    for (const std::int32_t row : order) {
        if (row >= 0) stays[static_cast<std::size_t>(row)] = 1;
    }
    std::int32_t* end =
        std::remove_if(state.active, state.active + state.n_active,
                       [&](std::int32_t row) { return !stays[static_cast<std::size_t>(row)]; });
    state.n_active = end - state.active;
}

} // namespace

template <typename View>
void sweep(Dual dual, const View& X, Sweep& state, std::uint64_t seed, std::uint64_t number) {
    const auto& kernels = kernels_for<View>();
    const auto visits = dual == Dual::box ? kernels.box : kernels.logistic;
    std::vector<std::int32_t> order = runtime::in_random_pieces(
        state.active, state.n_active, kPiece, runtime::Philox{seed, number});
    const Index n = state.n_active;
    state.largest = state.total = 0;
    for (Index at = 0; at < n; at += kVisits) {
        visits(X, state, order.data() + at, std::min(kVisits, n - at), n - at);
        runtime::poll_interrupt();
    }
    if (dual == Dual::box) keep(state, order, X.rows);
}

template <typename View>
void squared_norms(const View& X, Vector<double> out) {
    const auto& kernels = kernels_for<View>();
    const runtime::Blocks blocks{X.rows, kRows};
    runtime::parallel_for(
        blocks.count(),
        [&](Index block) {
            const Index begin = blocks.begin(block), end = blocks.end(block);
            kernels.squared_norms(rows_of(X, begin, end), out.data + begin);
        },
        blocks.count() == 1 ? 1 : 0);
}

#define GRAMIAN_VIEW(View)                                                                         \
    template void sweep(Dual, const View&, Sweep&, std::uint64_t, std::uint64_t);                  \
    template void squared_norms(const View&, Vector<double>);
GRAMIAN_VIEW(F32)
GRAMIAN_VIEW(F64)
GRAMIAN_VIEW(CsrF32I32)
GRAMIAN_VIEW(CsrF32I64)
GRAMIAN_VIEW(CsrF64I32)
GRAMIAN_VIEW(CsrF64I64)
#undef GRAMIAN_VIEW

} // namespace gramian::passes
