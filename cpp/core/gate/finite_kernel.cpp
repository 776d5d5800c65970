#include "core/gate/finite.hpp"
#include "core/simd/register.hpp"

namespace gramian::gate::GRAMIAN_ISA {
namespace {

using namespace simd;

// x * 0 is 0 for a finite x and NaN for any other, and a sum keeps a NaN.
template <typename T>
bool all_finite(const T* p, Index n) {
    constexpr int lanes = kLanes<T>;
    Vec<T> total[4] = {};
    Index i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
        for (int u = 0; u < 4; ++u) total[u] += load(p + i + u * lanes) * T(0);
    }
    T rest = sum<T>(total[0] + total[1] + total[2] + total[3]);
    for (; i < n; ++i) rest += p[i] * T(0);
    return rest == T(0);
}

} // namespace

extern const FiniteKernels finite_kernels;
const FiniteKernels finite_kernels = {all_finite<float>, all_finite<double>};

} // namespace gramian::gate::GRAMIAN_ISA
