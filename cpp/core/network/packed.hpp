// Parameters in the order in which the products read them: the weights of a layer in panels of two
// registers of columns (product.hpp), padded with zeros; those of a layer with one output, as one
// row; and vectors padded to whole registers. An optimiser, which treats all numbers alike, works
// in this order too.
#pragma once

#include "core/network/shape.hpp"

#include <cstddef>
#include <vector>

namespace gramian::network {

// Zeros that begin at a line of the cache.
template <typename T>
class Buffer {
public:
    explicit Buffer(Index size = 0) : memory_(static_cast<std::size_t>(size) + kLine), size_(size) {
        const auto at = reinterpret_cast<std::uintptr_t>(memory_.data()) / sizeof(T) % kLine;
        start_ = at == 0 ? 0 : kLine - at;
    }
    Buffer(Buffer&&) noexcept = default;
    Buffer& operator=(Buffer&&) noexcept = default;

    T* data() { return memory_.data() + start_; }
    const T* data() const { return memory_.data() + start_; }
    Index size() const { return size_; }

private:
    static constexpr std::size_t kLine = 64 / sizeof(T);
    std::vector<T> memory_;
    std::size_t start_;
    Index size_;
};

Index round_up(Index number, Index step);

// The columns of a layer's weights, and the distance of two rows of activations: whole registers,
// and no power of two, whose rows would compete for the same lines of the cache.
template <typename T>
Index padded(Index columns);
template <typename T>
Index stride_of(Index columns);

// The numbers of a layer's packed weights.
template <typename T>
Index packed_size(Index in, Index out);
// (in, out) row by row to panels, and back.
template <typename T>
void pack_weights(const T* plain, Index in, Index out, T* packed);
template <typename T>
void unpack_weights(const T* packed, Index in, Index out, T* plain);

// Where the parameters of a layer are.
struct Place {
    Index in, out;
    Index cols, in_cols; // padded
    bool normal;         // batch normalisation
    Index weights, bias, gamma, beta;
    Index plain_weights, plain_bias, plain_gamma, plain_beta;
    Index transposed; // among the transposed weights; -1: there are none of this layer

    bool single() const { return out == 1; }
};

template <typename T>
struct Packing {
    // Weights with panels are also kept transposed, those of the first layer if asked for.
    explicit Packing(const Shape& shape, bool first_too = false);

    void pack(const T* plain, T* packed) const;
    void unpack(const T* packed, T* plain) const;
    // The transposed weights of the inputs begin .. end - 1, whole panels of them.
    void transpose(const Place& at, const T* packed, Index begin, Index end, T* transposed) const;

    std::vector<Place> places;
    Index size = 0, transposed_size = 0;
};

} // namespace gramian::network
