// A convolution of step 1 with the maxima of blocks of 2 x 2 after it, and the way back. The maps
// between the two are never stored: the maxima are taken in registers, and the derivatives by a
// map, of which at most one in four is not 0, stay a list of places and numbers.
//
// Images and maxima have their channels last. A last row or column that fills no block is left
// out, and the first of equal numbers is the maximum. NaN in a block makes its maximum NaN.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>
#include <type_traits>

namespace gramian::network {

struct ConvPool {
    Index rows, cols, channels;     // of an image
    Index top, left, bottom, right; // zeros around it
    Index filters, height, width;
    bool relu; // the maxima, or 0 where they are below

    Index padded_rows() const { return rows + top + bottom; }
    Index padded_cols() const { return cols + left + right; }
    Index out_rows() const { return (padded_rows() - height + 1) / 2; }
    Index out_cols() const { return (padded_cols() - width + 1) / 2; }
    Index line() const { return width * channels; } // numbers of a row of a patch
    Index image() const { return rows * cols * channels; }
    Index padded_image() const { return padded_rows() * padded_cols() * channels; }
    Index pooled() const { return out_rows() * out_cols() * filters; }
    Index weights() const { return filters * channels * height * width; }
    double work() const { // multiply-adds of an image forward
        return 4 * static_cast<double>(pooled()) * static_cast<double>(height * line());
    }
};

constexpr Index kImages = 8; // whose derivatives by the weights are added up together

// A place in some array, and the factor of what begins there.
template <typename T>
struct Term {
    Index at;
    T factor;
};

// Which of the four places of a block had the maximum, counted row by row: as wide as the number.
template <typename T>
using Corner = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

constexpr std::uint8_t kNoPlace = 4; // where the maximum became 0

template <typename T>
struct ConvPoolKernels {
    Index lanes;
    // Of an image with its zeros around it. `weights` [height][line][filters], `bias`, `out` and
    // `places` have their filters rounded up to lanes.
    void (*forward)(const ConvPool& c, const T* x, const T* weights, const T* bias, T* out,
                    Corner<T>* places);
    // Maxima and places without what fills up the lanes; null places: only the maxima.
    void (*pack)(const ConvPool& c, const T* found, const Corner<T>* where, T* out,
                 std::uint8_t* places);
    // to[k][r] += sum of factor * from[at + k * step + r], of `height` lines of so many registers
    void (*add_lines)(const T* from, Index step, const Term<T>* terms, Index count, T* to,
                      Index to_step, Index height, Index registers);
};

struct AllConvPoolKernels {
    ConvPoolKernels<float> single;
    ConvPoolKernels<double> dbl;
};

// `weights` [filters][channels][height][width]; a byte for each place, kNoPlace where relu gave 0
template <typename T>
void conv_pool(const ConvPool& c, Index n, const T* images, const T* weights, const T* bias, T* out,
               std::uint8_t* places);
// From the derivatives by the maxima those by weights, bias and, unless null, images.
template <typename T>
void conv_pool_back(const ConvPool& c, Index n, const T* images, const T* weights, const T* slopes,
                    const std::uint8_t* places, T* by_weights, T* by_bias, T* by_images);

} // namespace gramian::network
