#include "core/gate/finite.hpp"

#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <atomic>

GRAMIAN_DISPATCH(gate, FiniteKernels, finite_kernels, finite_table)

namespace gramian::gate {
namespace {

constexpr Index kBlock = 1 << 16; // values per block: 256 or 512 KB, the L2 cache

bool kernel(const float* p, Index n) {
    return finite_table().f32(p, n);
}
bool kernel(const double* p, Index n) {
    return finite_table().f64(p, n);
}

} // namespace

template <typename T>
bool all_finite(Vector<const T> values) {
    const runtime::Blocks blocks{values.size, kBlock};
    std::atomic<bool> finite{true};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            if (!finite.load(std::memory_order_relaxed)) return;
            const Index begin = blocks.begin(b);
            if (!kernel(values.data + begin, blocks.end(b) - begin)) finite.store(false);
        },
        blocks.count() < 8 ? 1 : 0);
    return finite.load();
}

template bool all_finite(Vector<const float>);
template bool all_finite(Vector<const double>);

} // namespace gramian::gate
