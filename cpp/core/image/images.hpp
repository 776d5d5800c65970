// Steps over batches of grey images: gradients, histograms of their orientations, equalisation.
// Each image is processed by one thread, so the result does not depend on the number of threads.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::image {

template <typename T>
struct Images {
    const T* data; // count images of rows x cols, one after the other
    Index count;
    Index rows;
    Index cols;

    Index pixels() const { return rows * cols; }
    const T* at(Index i) const { return data + i * pixels(); }
};

// A derivative along one axis and smoothing along the other: two kernels of the same odd length.
struct Filter {
    const double* derivative;
    const double* smoothing;
    Index length;

    Index radius() const { return length / 2; }
};

// Where gradients are counted: cells of height x width pixels, with bins of orientations each;
// blocks of several cells, stepped by one cell, are scaled to length 1 (none if block_rows is 0).
struct Cells {
    Index height;
    Index width;
    Index bins;
    bool directed; // angles in [0, 360) degrees; otherwise in [0, 180), where opposite gradients
                   // are equal
    bool shared;   // a vote is shared between the two nearest bins
    Index block_rows;
    Index block_cols;
    double epsilon; // added to the length of a block

    Index across(Index cols) const { return cols / width; }
    Index down(Index rows) const { return rows / height; }
    // Features of one image.
    Index features(Index rows, Index cols) const;
};

// across[i], down[i]: correlation of image i with derivative x smoothing; the border is repeated.
template <typename T>
void gradients(const Images<T>& images, const Filter& filter, T* across, T* down);

// out(i, .): mean magnitude of the gradients of each orientation, cell by cell, or block by block.
template <typename T>
void orientation_histograms(const Images<T>& images, const Filter& filter, const Cells& cells,
                            T* out);

// out[i]: each pixel replaced by the proportion of pixels that are darker or in its bin, scaled to
// [0, 1]; an image of one grey level becomes 0. Levels are bins of equal width between the
// extremes.
template <typename T>
void equalize(const Images<T>& images, Index levels, T* out);

// Kernels, each for one image.
struct ImageKernels {
    // line: 2 (cols + 2 radius) numbers of scratch
    void (*gradients_f32)(const float* image, Index rows, Index cols, const Filter& filter,
                          double* line, double* across, double* down);
    void (*gradients_f64)(const double* image, Index rows, Index cols, const Filter& filter,
                          double* line, double* across, double* down);
    // Lengths, and angles divided by the width of a bin, in place of the gradients; n is a multiple
    // of kVotes.
    void (*votes)(Index n, double bins_per_turn, bool directed, double* across, double* down);
};

inline constexpr Index kVotes = 8;

} // namespace gramian::image
