// Lazy initialization by the first caller.
#pragma once

#include <atomic>
#include <mutex>

namespace gramian::runtime {

// Like std::call_once, for functions that may throw (Interrupted, std::bad_alloc). After a throw
// the next caller tries again, which several C libraries do not guarantee for pthread_once.
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
