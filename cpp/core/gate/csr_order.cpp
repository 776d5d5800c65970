#include "core/gate/csr_order.hpp"

#include "core/runtime/pool.hpp"

#include <atomic>

namespace gramian::gate {
namespace {

constexpr Index kRows = 1 << 10;          // of a block
constexpr Index kSerialEntries = 1 << 18; // a tenth of a millisecond

template <typename I>
bool row_in_order(const I* begin, const I* end, Index cols) {
    Index before = -1;
    bool ascending = true; // no early exit: nearly all tables are in order
    for (const I* at = begin; at != end; ++at) {
        ascending &= *at > before;
        before = *at;
    }
    return ascending && before < cols;
}

} // namespace

template <typename I>
bool csr_in_order(Vector<const I> columns, Vector<const I> offsets, Index cols) {
    const Index rows = offsets.size - 1, entries = columns.size;
    if (rows < 0 || offsets[0] != 0 || offsets[rows] != entries) return false;
    const runtime::Blocks blocks{rows, kRows};
    std::atomic<bool> in_order{true};
    runtime::parallel_for(
        blocks.count(),
        [&](Index block) {
            for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
                const Index begin = offsets[i], end = offsets[i + 1];
                const bool inside = 0 <= begin && begin <= end && end <= entries;
                if (!inside || !row_in_order(columns.data + begin, columns.data + end, cols)) {
                    in_order.store(false, std::memory_order_relaxed);
                    return;
                }
            }
        },
        entries < kSerialEntries ? 1 : 0);
    return in_order.load();
}

template bool csr_in_order(Vector<const std::int32_t>, Vector<const std::int32_t>, Index);
template bool csr_in_order(Vector<const std::int64_t>, Vector<const std::int64_t>, Index);

} // namespace gramian::gate
