// What is made once, by whoever needs it first.
#pragma once

#include <atomic>
#include <mutex>

namespace gramian::runtime {

// As std::call_once, for functions that may throw (Interrupted, no memory): the next caller then
// tries again, which several C libraries do not promise of pthread_once.
class Once {
public:
    template <typename Make>
    void operator()(Make&& make) {
        if (made_.load(std::memory_order_acquire)) return;
        const std::lock_guard lock(mutex_);
        if (made_.load(std::memory_order_relaxed)) return;
        make();
        made_.store(true, std::memory_order_release);
    }

private:
    std::atomic<bool> made_{false};
    std::mutex mutex_;
};

} // namespace gramian::runtime
