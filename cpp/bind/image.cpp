// Gradients, orientation histograms and equalisation of images.
#include "bind/arrays.hpp"
#include "core/image/images.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>

namespace gramian::bind {
namespace {

template <typename T>
using Batch = nb::ndarray<const T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
template <typename T>
using OutBatch = nb::ndarray<T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

template <typename T>
image::Images<T> images_view(const Batch<T>& images) {
    require(images.shape(1) >= 1 && images.shape(2) >= 1, "images: at least one pixel");
    return {images.data(), static_cast<Index>(images.shape(0)), static_cast<Index>(images.shape(1)),
            static_cast<Index>(images.shape(2))};
}

image::Filter filter_view(const In2<double>& filter) {
    require(filter.shape(0) == 2 && filter.shape(1) % 2 == 1, "images: two kernels of odd length");
    const Index length = static_cast<Index>(filter.shape(1));
    return {filter.data(), filter.data() + length, length};
}

template <typename T>
bool same_shape(const Batch<T>& images, const OutBatch<T>& out) {
    return out.shape(0) == images.shape(0) && out.shape(1) == images.shape(1) &&
           out.shape(2) == images.shape(2);
}

template <typename T>
void bind_images(nb::module_& m) {
    m.def(
        "image_gradients",
        [](const Batch<T>& images, const In2<double>& filter, const OutBatch<T>& across,
           const OutBatch<T>& down) {
            require(same_shape(images, across) && same_shape(images, down),
                    "images: a gradient for each pixel");
            const auto view = images_view(images);
            const auto with = filter_view(filter);
            const GilRelease release;
            image::gradients(view, with, across.data(), down.data());
        },
        "images"_a.noconvert(), "filter"_a.noconvert(), "across"_a.noconvert(),
        "down"_a.noconvert());
    m.def(
        "orientation_histograms",
        [](const Batch<T>& images, const In2<double>& filter, std::tuple<Index, Index, Index> cell,
           std::tuple<bool, bool> votes, std::tuple<Index, Index, double> block,
           const Out2<T>& out) {
            const auto view = images_view(images);
            const auto with = filter_view(filter);
            const auto [height, width, bins] = cell;
            const auto [directed, shared] = votes;
            const auto [block_rows, block_cols, epsilon] = block;
            require(height >= 1 && width >= 1 && bins >= 1 && height <= view.rows &&
                        width <= view.cols,
                    "images: cells inside the image");
            const image::Cells cells{height, width,      bins,       directed,
                                     shared, block_rows, block_cols, epsilon};
            require(block_rows == 0 || (block_rows >= 1 && block_cols >= 1 &&
                                        block_rows <= cells.down(view.rows) &&
                                        block_cols <= cells.across(view.cols)),
                    "images: blocks inside the image");
            require(out.shape(0) == images.shape(0) &&
                        static_cast<Index>(out.shape(1)) == cells.features(view.rows, view.cols),
                    "images: a row of features for each image");
            const GilRelease release;
            image::orientation_histograms(view, with, cells, out.data());
        },
        "images"_a.noconvert(), "filter"_a.noconvert(), "cell"_a, "votes"_a, "block"_a,
        "out"_a.noconvert(),
        "cell is (height, width, bins), votes (directed, shared), block (rows, cols, epsilon).");
    m.def(
        "equalize_images",
        [](const Batch<T>& images, Index levels, const OutBatch<T>& out) {
            require(same_shape(images, out) && levels >= 1 && levels <= (Index{1} << 24),
                    "images: a level for each pixel");
            const auto view = images_view(images);
            const GilRelease release;
            image::equalize(view, levels, out.data());
        },
        "images"_a.noconvert(), "levels"_a, "out"_a.noconvert());
}

} // namespace

void bind_image(nb::module_& m) {
    bind_images<float>(m);
    bind_images<double>(m);
}

} // namespace gramian::bind
