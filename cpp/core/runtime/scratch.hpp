// Buffers that a thread keeps between calls.
//
// The threads of the pool live as long as the process. Without care their buffers would too, even
// those of one large table. A thread_local ThreadBuffer frees its memory when its thread leaves a
// region, unless the buffer is small.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace gramian::runtime {

// A buffer registered in a list of its thread.
class Scratch {
public:
    Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    virtual ~Scratch();

    // Frees the large buffers of this thread; the pool calls it at the end of a region.
    static void end_of_region();

private:
    virtual void free_if_large() = 0;

    Scratch* next_;
};

template <typename T>
class ThreadBuffer final : public Scratch {
public:
    static constexpr std::size_t kSmall = std::size_t{1} << 16; // bytes

    std::vector<T>& all() { return values_; }
    // A buffer of at least `size` values.
    T* of(std::size_t size) {
        if (values_.size() < size) values_.resize(size);
        return values_.data();
    }

private:
    void free_if_large() override {
        if (values_.capacity() * sizeof(T) > kSmall) std::exchange(values_, {});
    }

    std::vector<T> values_;
};

} // namespace gramian::runtime
