#include "core/gate/stack_columns.hpp"

#include "core/runtime/pool.hpp"

#include <algorithm>

namespace gramian::gate {
namespace {

constexpr Index kBlock = 1 << 13;      // rows of a task
constexpr Index kStripBytes = 1 << 14; // bytes of the rows written at a time: half of the L1 cache
constexpr Index kMinStripRows = 16;    // fewer would read less than a cache line of a column

} // namespace

template <typename T>
void stack_columns(const std::vector<const T*>& columns, Matrix<T> out) {
    const Index d = out.cols, width = static_cast<Index>(sizeof(T)) * std::max<Index>(d, 1);
    const Index strip = std::max(kMinStripRows, kStripBytes / width);
    const runtime::Blocks blocks{out.rows, kBlock};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            for (Index begin = blocks.begin(b); begin < blocks.end(b); begin += strip) {
                const Index end = std::min(begin + strip, blocks.end(b));
                for (Index j = 0; j < d; ++j) {
                    const T* from = columns[static_cast<std::size_t>(j)];
                    T* to = out.data + j;
                    for (Index i = begin; i < end; ++i) to[i * d] = from[i];
                }
            }
        },
        blocks.count() < 4 ? 1 : 0);
}

template void stack_columns(const std::vector<const float*>&, Matrix<float>);
template void stack_columns(const std::vector<const double*>&, Matrix<double>);

} // namespace gramian::gate
