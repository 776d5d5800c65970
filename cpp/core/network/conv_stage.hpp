// A convolution with the maxima after it (conv_pool.hpp), of one image at a time: its weights in
// the orders in which both ways read them, and the memory that an image needs.
#pragma once

#include "core/network/conv_pool.hpp"
#include "core/network/packed.hpp"

#include <vector>

namespace gramian::network {

template <typename T>
class ConvStage {
public:
    // What a thread needs while it is at an image.
    struct Scratch {
        Buffer<T> image, found, by_image;
        std::vector<Corner<T>> where;
        std::vector<Term<T>> terms;
    };

    explicit ConvStage(const ConvPool& c) : c_(c) {}

    const ConvPool& conv() const { return c_; }
    // Takes weights [filters][channels][height][width], for the way forward or back.
    void pack_forward(const T* weights, const T* bias);
    void pack_back(const T* weights);

    Scratch scratch_forward() const;
    Scratch scratch_back(bool by_image) const;

    // The maxima of an image, and unless null which they are.
    void forward(const T* image, Scratch& scratch, T* out, std::uint8_t* places) const;
    // Adds the derivatives by weights and biases to `sums`; writes those by the image, unless null.
    void back(const T* image, const T* slopes, const std::uint8_t* places, Scratch& scratch,
              T* sums, T* by_image) const;

    // Numbers of such sums, and the sums in the order of the weights.
    Index sums() const;
    void unpack(const T* sums, T* by_weights, T* by_bias) const;

private:
    ConvPool c_;
    Buffer<T> weights_, start_, turned_;
};

} // namespace gramian::network
