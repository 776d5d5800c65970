#include "core/passes/epoch.hpp"

#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>

GRAMIAN_DISPATCH(passes, EpochKernels, epoch_kernels, epoch_table)

namespace gramian::passes {
namespace {

constexpr Index kSteps = 4096; // between two checks for Ctrl-C

} // namespace

template <typename View>
void epoch(const View& X, Epoch& state) {
    ScaledWeights weights{state.w, 1.0, state.sum, 0.0};
    const auto steps = epoch_table().views.of<View>().steps;
    state.loss_sum = 0;
    state.updates = 0;
    for (Index at = 0; at < state.n; at += kSteps) {
        steps(X, state, weights, at, std::min(at + kSteps, state.n));
        runtime::poll_interrupt();
    }
    epoch_table().multiply_out(weights, X.cols);
}

#define GRAMIAN_VIEW(View) template void epoch(const View&, Epoch&);
GRAMIAN_FOR_VIEWS(GRAMIAN_VIEW)
#undef GRAMIAN_VIEW

} // namespace gramian::passes
