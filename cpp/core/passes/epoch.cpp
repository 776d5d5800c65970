#include "core/passes/epoch.hpp"

#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>

GRAMIAN_DISPATCH(passes, EpochKernels, epoch_kernels, epoch_table)

namespace gramian::passes {
namespace {

constexpr Index kSteps = 4096; // between two looks for Ctrl-C

template <typename View>
EpochKernels::Steps<View> steps_for();
#define GRAMIAN_VIEW(View, member)                                                                 \
    template <>                                                                                    \
    EpochKernels::Steps<View> steps_for<View>() {                                                  \
        return epoch_table().member;                                                               \
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

} // namespace

template <typename View>
void epoch(const View& X, Epoch& state) {
    ScaledWeights weights{state.w, 1.0, state.sum, 0.0};
    const auto steps = steps_for<View>();
    state.loss_sum = 0;
    state.updates = 0;
    for (Index at = 0; at < state.n; at += kSteps) {
        steps(X, state, weights, at, std::min(at + kSteps, state.n));
        runtime::poll_interrupt();
    }
    epoch_table().multiply_out(weights, X.cols);
}

#define GRAMIAN_VIEW(View) template void epoch(const View&, Epoch&);
GRAMIAN_VIEW(F32)
GRAMIAN_VIEW(F64)
GRAMIAN_VIEW(CsrF32I32)
GRAMIAN_VIEW(CsrF32I64)
GRAMIAN_VIEW(CsrF64I32)
GRAMIAN_VIEW(CsrF64I64)
#undef GRAMIAN_VIEW

} // namespace gramian::passes
