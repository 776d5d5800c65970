#include "core/network/conv_pool.hpp"

#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

GRAMIAN_DISPATCH(network, AllConvPoolKernels, conv_pool_kernels, conv_pool_table)

namespace gramian::network {
namespace {

constexpr Index kImages = 8;    // of a block
constexpr double kSerial = 2e6; // multiply-adds below which threads cost more than they give

template <typename T>
const ConvPoolKernels<T>& kernels() {
    if constexpr (std::is_same_v<T, float>) {
        return conv_pool_table().single;
    } else {
        return conv_pool_table().dbl;
    }
}

template <typename T>
Index rounded_up(Index size) {
    const Index lanes = kernels<T>().lanes;
    return (size + lanes - 1) / lanes * lanes;
}

template <typename T>
std::vector<T> zeros(Index size) {
    return std::vector<T>(static_cast<std::size_t>(size));
}

// 0: the pool's threads, 1: this one alone
int threads_for(const ConvPool& c, Index n) {
    const Index products = n * 4 * c.pooled() * c.height * c.line();
    return static_cast<double>(products) < kSerial ? 1 : 0;
}

// body(filter, ky, place in a line, number) of all weights
template <typename Weights, typename Body>
void each_weight(const ConvPool& c, Weights* weights, const Body& body) {
    for (Index f = 0; f < c.filters; ++f) {
        for (Index channel = 0; channel < c.channels; ++channel) {
            for (Index ky = 0; ky < c.height; ++ky) {
                for (Index kx = 0; kx < c.width; ++kx) {
                    body(f, ky, kx * c.channels + channel, *weights++);
                }
            }
        }
    }
}

// An image inside its zeros, from or to memory; what is around it stays as it is.
template <typename T, typename Copy>
void each_row(const ConvPool& c, T* padded, const Copy& copy) {
    const Index size = c.cols * c.channels;
    for (Index i = 0; i < c.rows; ++i) {
        copy(i * size, padded + ((c.top + i) * c.wide() + c.left) * c.channels, size);
    }
}

template <typename T>
void put_inside(const ConvPool& c, const T* image, T* padded) {
    each_row(c, padded, [&](Index at, T* row, Index size) { std::copy_n(image + at, size, row); });
}

// From the first place of a block to each of its four; kNoPlace has an entry too.
struct Corners {
    explicit Corners(const ConvPool& c)
        : down(c.wide() * c.channels), steps{0, c.channels, down, down + c.channels, 0} {}

    Index down, steps[kNoPlace + 1];
};

template <typename T>
struct Derivatives {
    const T* slopes;
    const std::uint8_t* places;

    bool counts(Index at) const { return (places[at] < kNoPlace) & (slopes[at] != T(0)); }
};

// Adds the derivatives of an image by the weights, [filter][height][line], and by the biases.
template <typename T>
void add_by_weights(const ConvPool& c, const T* x, const Derivatives<T>& d, Term<T>* terms,
                    T* by_weights, T* by_bias) {
    const Index line = rounded_up<T>(c.line());
    const Corners corners(c);
    for (Index f = 0; f < c.filters; ++f) {
        Index count = 0, at = f;
        T sum = 0;
        for (Index i = 0; i < c.out_rows(); ++i) {
            for (Index j = 0; j < c.out_cols(); ++j, at += c.filters) {
                const Index block = 2 * (i * corners.down + j * c.channels);
                const bool counts = d.counts(at);
                terms[count] = {block + corners.steps[d.places[at]], d.slopes[at]};
                count += counts;
                sum += counts ? d.slopes[at] : T(0);
            }
        }
        by_bias[f] += sum;
        kernels<T>().add_lines(x, corners.down, terms, count, by_weights + f * c.height * line,
                               line, c.height, line / kernels<T>().lanes);
    }
}

// Adds the derivatives by a padded image: to the patch of each of the four places of a block the
// weights of the filters that had their maximum there.
template <typename T>
void add_by_image(const ConvPool& c, const T* weights, const Derivatives<T>& d, Term<T>* terms,
                  T* by_image) {
    const Index line = rounded_up<T>(c.line()), size = c.height * line;
    const Corners corners(c);
    Index at = 0;
    for (Index i = 0; i < c.out_rows(); ++i) {
        for (Index j = 0; j < c.out_cols(); ++j, at += c.filters) {
            T* const block = by_image + 2 * (i * corners.down + j * c.channels);
            Index counts[kNoPlace + 1] = {};
            for (Index f = 0; f < c.filters; ++f) {
                const std::uint8_t place = d.places[at + f];
                terms[place * c.filters + counts[place]] = {f * size, d.slopes[at + f]};
                counts[place] += d.counts(at + f);
            }
            for (std::uint8_t place = 0; place < kNoPlace; ++place) {
                if (counts[place] == 0) continue;
                kernels<T>().add_lines(weights, line, terms + place * c.filters, counts[place],
                                       block + corners.steps[place], corners.down, c.height,
                                       line / kernels<T>().lanes);
            }
        }
    }
}

} // namespace

template <typename T>
void conv_pool(const ConvPool& c, Index n, const T* images, const T* weights, const T* bias, T* out,
               std::uint8_t* places) {
    const Index filters = rounded_up<T>(c.filters), blocks_of_image = c.out_rows() * c.out_cols();
    std::vector<T> packed = zeros<T>(c.height * c.line() * filters), start = zeros<T>(filters);
    each_weight(c, weights, [&](Index f, Index ky, Index t, T w) {
        packed[static_cast<std::size_t>((ky * c.line() + t) * filters + f)] = w;
    });
    std::copy_n(bias, c.filters, start.data());
    const runtime::Blocks blocks{n, kImages};
    const auto body = [&](Index block) {
        std::vector<T> x = zeros<T>(c.padded_image()), found = zeros<T>(blocks_of_image * filters);
        std::vector<Place<T>> where = zeros<Place<T>>(blocks_of_image * filters);
        for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
            put_inside(c, images + i * c.image(), x.data());
            kernels<T>().forward(c, x.data(), packed.data(), start.data(), found.data(),
                                 where.data());
            T* to = out + i * c.pooled();
            std::uint8_t* place = places + i * c.pooled();
            for (Index b = 0; b < blocks_of_image; ++b) {
                for (Index f = 0; f < c.filters; ++f) {
                    *to++ = found[static_cast<std::size_t>(b * filters + f)];
                    *place++ =
                        static_cast<std::uint8_t>(where[static_cast<std::size_t>(b * filters + f)]);
                }
            }
        }
    };
    runtime::parallel_for(blocks.count(), body, threads_for(c, n));
}

template <typename T>
void conv_pool_back(const ConvPool& c, Index n, const T* images, const T* weights, const T* slopes,
                    const std::uint8_t* places, T* by_weights, T* by_bias, T* by_images) {
    const Index line = rounded_up<T>(c.line()), size = c.filters * c.height * line;
    const Index padded = c.padded_image() + line; // a register may reach beyond the last line
    const Index terms_of_image = std::max(c.out_rows() * c.out_cols(), 4 * c.filters) + c.filters;
    std::vector<T> packed = zeros<T>(by_images ? size : 0);
    const auto at = [&](Index f, Index ky, Index t) {
        return static_cast<std::size_t>((f * c.height + ky) * line + t);
    };
    if (by_images) {
        each_weight(c, weights, [&](Index f, Index ky, Index t, T w) { packed[at(f, ky, t)] = w; });
    }
    const runtime::Blocks blocks{n, kImages};
    std::vector<T> sums = zeros<T>(blocks.count() * (size + c.filters));
    const auto body = [&](Index block) {
        std::vector<T> x = zeros<T>(padded), by_image = zeros<T>(by_images ? padded : 0);
        std::vector<Term<T>> terms(static_cast<std::size_t>(terms_of_image));
        T* const own = sums.data() + block * (size + c.filters);
        for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
            const Derivatives<T> d{slopes + i * c.pooled(), places + i * c.pooled()};
            put_inside(c, images + i * c.image(), x.data());
            add_by_weights(c, x.data(), d, terms.data(), own, own + size);
            if (!by_images) continue;
            std::fill(by_image.begin(), by_image.end(), T(0));
            add_by_image(c, packed.data(), d, terms.data(), by_image.data());
            each_row(c, by_image.data(), [&](Index first, const T* row, Index count) {
                std::copy_n(row, count, by_images + i * c.image() + first);
            });
        }
    };
    runtime::parallel_for(blocks.count(), body, threads_for(c, n));
    std::fill_n(by_bias, c.filters, T(0));
    std::vector<T> all = zeros<T>(size);
    for (Index block = 0; block < blocks.count(); ++block) {
        const T* const own = sums.data() + block * (size + c.filters);
        for (Index k = 0; k < size; ++k) all[static_cast<std::size_t>(k)] += own[k];
        for (Index f = 0; f < c.filters; ++f) by_bias[f] += own[size + f];
    }
    each_weight(c, by_weights, [&](Index f, Index ky, Index t, T& w) { w = all[at(f, ky, t)]; });
}

#define GRAMIAN_OF_TYPE(T)                                                                         \
    template void conv_pool(const ConvPool&, Index, const T*, const T*, const T*, T*,              \
                            std::uint8_t*);                                                        \
    template void conv_pool_back(const ConvPool&, Index, const T*, const T*, const T*,             \
                                 const std::uint8_t*, T*, T*, T*);
GRAMIAN_OF_TYPE(float)
GRAMIAN_OF_TYPE(double)
#undef GRAMIAN_OF_TYPE

} // namespace gramian::network
