#include "core/passes/sweep.hpp"

#include "core/passes/rows.hpp"
#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"
#include "core/runtime/shuffle.hpp"

#include <algorithm>
#include <vector>

GRAMIAN_DISPATCH(passes, SweepKernels, sweep_kernels, sweep_table)

namespace gramian::passes {
namespace {

constexpr Index kPiece = 4;     // neighbours visited together; longer runs take more sweeps
constexpr Index kVisits = 4096; // between two checks for Ctrl-C
constexpr Index kRows = 4096;   // of a block of norms

// Sets the active rows to those that are still in the order, ascending.
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
    const auto& kernels = sweep_table().views.of<View>();
    const auto visits = dual == Dual::box ? kernels.box : kernels.logistic;
    std::vector<std::int32_t> order = runtime::shuffled_in_chunks(
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
    const auto& kernels = sweep_table().views.of<View>();
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
GRAMIAN_FOR_VIEWS(GRAMIAN_VIEW)
#undef GRAMIAN_VIEW

} // namespace gramian::passes
