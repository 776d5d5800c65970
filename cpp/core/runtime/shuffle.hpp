// Random permutations from counter-based draws: the same for any number of threads and any machine.
#pragma once

#include "core/runtime/random.hpp"
#include "core/runtime/views.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace gramian::runtime {

// Draws of one Philox block at a time. The bias of a 32-bit draw is below n / 2^32.
class BlockDraws {
public:
    explicit BlockDraws(const Philox& random) : random_(random), block_(random.block(0)) {}

    Index below(Index n) {
        if (used_ == 4) {
            block_ = random_.block(++counter_);
            used_ = 0;
        }
        return static_cast<Index>(
            (std::uint64_t{block_.word[used_++]} * static_cast<std::uint64_t>(n)) >> 32);
    }

private:
    Philox random_;
    Philox::Block block_;
    std::uint64_t counter_ = 0;
    int used_ = 0;
};

// Fisher-Yates: all n! permutations are equally likely.
template <typename T>
void shuffle(T* items, Index n, BlockDraws& draws) {
    for (Index last = n - 1; last > 0; --last) std::swap(items[last], items[draws.below(last + 1)]);
}

// The rows in a random order with good memory locality: chunks of `piece` adjacent rows come in
// random order, and so do the rows of each chunk.
inline std::vector<std::int32_t> shuffled_in_chunks(const std::int32_t* rows, Index n, Index piece,
                                                    const Philox& random) {
    BlockDraws draws(random);
    std::vector<Index> pieces(static_cast<std::size_t>((n + piece - 1) / piece));
    std::iota(pieces.begin(), pieces.end(), Index{0});
    shuffle(pieces.data(), static_cast<Index>(pieces.size()), draws);
    std::vector<std::int32_t> order;
    order.reserve(static_cast<std::size_t>(n));
    for (const Index number : pieces) {
        const Index begin = number * piece, size = std::min(piece, n - begin);
        order.insert(order.end(), rows + begin, rows + begin + size);
        shuffle(order.data() + order.size() - size, size, draws);
    }
    return order;
}

} // namespace gramian::runtime
