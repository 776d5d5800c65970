// A convolution followed by max pooling (conv_pool.hpp), for one image at a time: the weights in
// the orders in which the forward and the backward pass read them, and the scratch memory.
#pragma once

#include "core/network/conv_pool.hpp"
#include "core/network/packed.hpp"

#include <vector>

namespace gramian::network {

template <typename T>
class ConvStage {
public:
    // The memory that a thread needs to process an image.
    struct Scratch {
        Buffer<T> image, found, by_image;
        std::vector<Corner<T>> where;
        std::vector<Term<T>> terms;
    };

    explicit ConvStage(const ConvPool& c) : c_(c) {}

    const ConvPool& conv() const { return c_; }
    // Takes weights [filters][channels][height][width], for the forward or the backward pass.
    void pack_forward(const T* weights, const T* bias);
    void pack_back(const T* weights);

    Scratch scratch_forward() const;
    Scratch scratch_back(bool by_image) const;

    // Writes the pooled maxima of an image and, unless null, their positions.
    void forward(const T* image, Scratch& scratch, T* out, std::uint8_t* places) const;
    // Adds the derivatives by weights and biases to `sums`; writes the derivatives by the image to
    // `by_image`, unless null.
    void back(const T* image, const T* slopes, const std::uint8_t* places, Scratch& scratch,
              T* sums, T* by_image) const;

    // The length of `sums`; and its conversion to the order of the weights.
    Index sums() const;
    void unpack(const T* sums, T* by_weights, T* by_bias) const;

private:
    ConvPool c_;
    Buffer<T> weights_, start_, turned_;
};

} // namespace gramian::network
