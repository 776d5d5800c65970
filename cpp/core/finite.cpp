#include "core/finite.hpp"

#include "core/isa.hpp"
#include "core/pool.hpp"

#include <atomic>

GRAMIAN_DISPATCH(FiniteKernels, finite_kernels, finite_table)

namespace gramian {
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
    const Blocks blocks{values.size, kBlock};
    std::atomic<bool> finite{true};
    parallel_for(
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

} // namespace gramian
