// Work that comes again and again, step after step: each thread begins with the items it had last
// time, whose numbers are in its own cache, and helps others when it has done them.
#pragma once

#include "core/runtime/pool.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

namespace gramian::network {

// Items lane, lane + lanes, ... belong to a lane, and a lane to one thread at a time.
class Lanes {
public:
    // body(item) for every item, once; nothing computed may depend on the thread.
    template <typename Body>
    void run(Index items, int threads, const Body& body) {
        const Index lanes = std::min<Index>(threads, items);
        if (lanes <= 1) {
            for (Index item = 0; item < items; ++item) body(item);
            return;
        }
        if (static_cast<Index>(lanes_.size()) < lanes) {
            lanes_ = std::vector<Lane>(static_cast<std::size_t>(lanes));
        }
        for (Lane& lane : lanes_) {
            lane.in_use.store(false, std::memory_order_relaxed);
            lane.done.store(0, std::memory_order_relaxed);
        }
        runtime::parallel_for(
            lanes,
            [&](Index) {
                const Index own = take(lanes);
                for (Index k = 0; k < lanes; ++k) {
                    const Index lane = (own + k) % lanes;
                    std::atomic<Index>& done = lanes_[static_cast<std::size_t>(lane)].done;
                    Index item;
                    while ((item = lane + lanes * done.fetch_add(1)) < items) {
                        body(item);
                        runtime::poll_interrupt();
                    }
                }
            },
            threads);
    }

private:
    struct alignas(64) Lane {
        std::atomic<bool> in_use{false};
        std::atomic<Index> done{0};
    };

    // The lane that this thread had last, or else one that nobody has.
    Index take(Index lanes) {
        static thread_local Index last = 0;
        for (Index k = 0; k < lanes; ++k) {
            const Index lane = (last + k) % lanes;
            if (!lanes_[static_cast<std::size_t>(lane)].in_use.exchange(true)) return last = lane;
        }
        return 0; // never: as many threads as lanes
    }

    std::vector<Lane> lanes_;
};

} // namespace gramian::network
