#include "core/image/images.hpp"

#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

GRAMIAN_DISPATCH(image, ImageKernels, image_kernels, image_table)

namespace gramian::image {
namespace {

constexpr Index kBlock = 1 << 14; // pixels per block

void kernel(const float* image, Index rows, Index cols, const Filter& filter, double* line,
            double* across, double* down) {
    image_table().gradients_f32(image, rows, cols, filter, line, across, down);
}
void kernel(const double* image, Index rows, Index cols, const Filter& filter, double* line,
            double* across, double* down) {
    image_table().gradients_f64(image, rows, cols, filter, line, across, down);
}

// Gradients of all images.
struct Slopes {
    std::vector<double> across, down, line;

    template <typename T>
    Slopes(const Images<T>& images, const Filter& filter)
        : across(padded(images.pixels())), down(padded(images.pixels())),
          line(static_cast<std::size_t>(2 * (images.cols + 2 * filter.radius()))) {}

    template <typename T>
    void compute(const Images<T>& images, Index i, const Filter& filter) {
        kernel(images.at(i), images.rows, images.cols, filter, line.data(), across.data(),
               down.data());
    }
    static std::size_t padded(Index pixels) {
        return static_cast<std::size_t>((pixels + kVotes - 1) / kVotes * kVotes);
    }
};

// body(first, last) for blocks of images.
template <typename T, typename Body>
void each_block(const Images<T>& images, const Body& body) {
    const Index size = std::max<Index>(1, kBlock / std::max<Index>(1, images.pixels()));
    const runtime::Blocks blocks{images.count, size};
    const bool little = images.count * images.pixels() < 2 * kBlock;
    runtime::parallel_for(
        blocks.count(), [&](Index b) { body(blocks.begin(b), blocks.end(b)); }, little ? 1 : 0);
}

// Adds the votes of the pixels of one image to its cells.
void count_votes(const Slopes& slopes, Index rows, Index cols, const Cells& cells, double* sums) {
    const Index across = cells.across(cols), down = cells.down(rows);
    std::fill(sums, sums + down * across * cells.bins, 0.0);
    const double share = 1.0 / static_cast<double>(cells.height * cells.width);
    const Index used = across * cells.width;
    for (Index i = 0; i < down * cells.height; ++i) {
        double* line = sums + i / cells.height * across * cells.bins;
        const double* length = slopes.across.data() + i * cols;
        const double* place = slopes.down.data() + i * cols;
        Index left = cells.width;
        for (Index j = 0; j < used; ++j) {
            const double vote = length[j] * share;
            if (cells.shared) { // centres of bins are at k + 1/2
                const double at = place[j] + 0.5;
                const Index above = static_cast<Index>(at); // 0 and bins are neighbours
                const double part = at - static_cast<double>(above);
                line[above == 0 ? cells.bins - 1 : above - 1] += vote * (1 - part);
                line[above >= cells.bins ? 0 : above] += vote * part;
            } else {
                const Index bin = static_cast<Index>(place[j]);
                line[bin >= cells.bins ? 0 : bin] += vote;
            }
            if (--left == 0) {
                left = cells.width;
                line += cells.bins;
            }
        }
    }
}

// Writes the blocks of cells, each scaled to length 1.
template <typename T>
void write_blocks(const double* sums, Index down, Index across, const Cells& cells, T* out) {
    const Index run = cells.block_cols * cells.bins;
    for (Index i = 0; i + cells.block_rows <= down; ++i) {
        for (Index j = 0; j + cells.block_cols <= across; ++j) {
            double square = cells.epsilon * cells.epsilon;
            for (Index a = 0; a < cells.block_rows; ++a) {
                const double* from = sums + ((i + a) * across + j) * cells.bins;
                for (Index k = 0; k < run; ++k) square += from[k] * from[k];
            }
            const double scale = square > 0 ? 1 / std::sqrt(square) : 0.0;
            for (Index a = 0; a < cells.block_rows; ++a, out += run) {
                const double* from = sums + ((i + a) * across + j) * cells.bins;
                for (Index k = 0; k < run; ++k) out[k] = static_cast<T>(from[k] * scale);
            }
        }
    }
}

} // namespace

Index Cells::features(Index rows, Index cols) const {
    const Index i = down(rows), j = across(cols);
    if (block_rows == 0) return i * j * bins;
    return (i - block_rows + 1) * (j - block_cols + 1) * block_rows * block_cols * bins;
}

template <typename T>
void gradients(const Images<T>& images, const Filter& filter, T* across, T* down) {
    each_block(images, [&](Index first, Index last) {
        Slopes slopes(images, filter);
        for (Index i = first; i < last; ++i) {
            slopes.compute(images, i, filter);
            const Index n = images.pixels();
            for (Index p = 0; p < n; ++p) {
                across[i * n + p] = static_cast<T>(slopes.across[static_cast<std::size_t>(p)]);
                down[i * n + p] = static_cast<T>(slopes.down[static_cast<std::size_t>(p)]);
            }
        }
    });
}

template <typename T>
void orientation_histograms(const Images<T>& images, const Filter& filter, const Cells& cells,
                            T* out) {
    const Index down = cells.down(images.rows), across = cells.across(images.cols);
    const Index features = cells.features(images.rows, images.cols);
    const double turn = static_cast<double>(cells.directed ? cells.bins : 2 * cells.bins);
    each_block(images, [&](Index first, Index last) {
        Slopes slopes(images, filter);
        std::vector<double> sums(static_cast<std::size_t>(down * across * cells.bins));
        for (Index i = first; i < last; ++i) {
            slopes.compute(images, i, filter);
            image_table().votes(static_cast<Index>(slopes.across.size()), turn, cells.directed,
                                slopes.across.data(), slopes.down.data());
            count_votes(slopes, images.rows, images.cols, cells, sums.data());
            T* row = out + i * features;
            if (cells.block_rows > 0) {
                write_blocks(sums.data(), down, across, cells, row);
            } else {
                for (Index k = 0; k < features; ++k) {
                    row[k] = static_cast<T>(sums[static_cast<std::size_t>(k)]);
                }
            }
        }
    });
}

template <typename T>
void equalize(const Images<T>& images, Index levels, T* out) {
    each_block(images, [&](Index first, Index last) {
        const Index n = images.pixels();
        std::vector<Index> counts(static_cast<std::size_t>(levels));
        std::vector<std::int32_t> codes(static_cast<std::size_t>(n));
        for (Index i = first; i < last; ++i) {
            const T* image = images.at(i);
            const auto [low, high] = std::minmax_element(image, image + n);
            const double start = static_cast<double>(*low);
            const double range = static_cast<double>(*high) - start;
            std::fill(counts.begin(), counts.end(), Index{0});
            for (Index p = 0; p < n; ++p) {
                const double part =
                    range > 0 ? (static_cast<double>(image[p]) - start) / range : 0.0;
                const Index code =
                    std::min(static_cast<Index>(part * static_cast<double>(levels)), levels - 1);
                codes[static_cast<std::size_t>(p)] = static_cast<std::int32_t>(code);
                ++counts[static_cast<std::size_t>(code)];
            }
            const Index darkest = counts[0];
            Index below = 0;
            for (Index& count : counts) count = below += count;
            const double scale = n > darkest ? 1 / static_cast<double>(n - darkest) : 0.0;
            for (Index p = 0; p < n; ++p) {
                const auto code = static_cast<std::size_t>(codes[static_cast<std::size_t>(p)]);
                out[i * n + p] =
                    static_cast<T>(static_cast<double>(counts[code] - darkest) * scale);
            }
        }
    });
}

#define GRAMIAN_IMAGES_OF(T)                                                                       \
    template void gradients(const Images<T>&, const Filter&, T*, T*);                              \
    template void orientation_histograms(const Images<T>&, const Filter&, const Cells&, T*);       \
    template void equalize(const Images<T>&, Index, T*);
GRAMIAN_IMAGES_OF(float)
GRAMIAN_IMAGES_OF(double)
#undef GRAMIAN_IMAGES_OF

} // namespace gramian::image
