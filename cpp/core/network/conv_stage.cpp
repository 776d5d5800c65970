#include "core/network/conv_stage.hpp"

#include "core/runtime/isa.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

GRAMIAN_DISPATCH(network, AllConvPoolKernels, conv_pool_kernels, conv_pool_table)

namespace gramian::network {
namespace {

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

// Short rows, for which a call takes longer than the copy.
template <typename T>
void copy_row(const T* from, Index size, T* to) {
    constexpr Index few = 16 / sizeof(T);
    Index k = 0;
    for (; k + few <= size; k += few) std::memcpy(to + k, from + k, 16);
    for (; k < size; ++k) to[k] = from[k];
}

// An image inside its zeros, from or to memory; what is around it stays as it is.
template <typename T, typename Copy>
void each_row(const ConvPool& c, T* padded, const Copy& copy) {
    const Index size = c.cols * c.channels;
    for (Index i = 0; i < c.rows; ++i) {
        copy(i * size, padded + ((c.top + i) * c.padded_cols() + c.left) * c.channels, size);
    }
}

template <typename T>
void put_inside(const ConvPool& c, const T* image, T* padded) {
    each_row(c, padded, [&](Index at, T* row, Index size) { copy_row(image + at, size, row); });
}

// From the first place of a block to each of its four; kNoPlace has an entry too.
struct Corners {
    explicit Corners(const ConvPool& c)
        : down(c.padded_cols() * c.channels), steps{0, c.channels, down, down + c.channels, 0} {}

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
        for (Index i = 0; i < c.out_rows(); ++i) {
            for (Index j = 0; j < c.out_cols(); ++j, at += c.filters) {
                const Index block = 2 * (i * corners.down + j * c.channels);
                terms[count] = {block + corners.steps[d.places[at]], d.slopes[at]};
                count += d.counts(at); // no branch: nobody can foresee it
            }
        }
        T sums[4] = {};
        for (Index e = 0; e < count; ++e) sums[e % 4] += terms[e].factor;
        by_bias[f] += (sums[0] + sums[1]) + (sums[2] + sums[3]);
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
void ConvStage<T>::pack_forward(const T* weights, const T* bias) {
    const Index filters = rounded_up<T>(c_.filters);
    if (start_.size() == 0) {
        weights_ = Buffer<T>(c_.height * c_.line() * filters);
        start_ = Buffer<T>(filters);
    }
    each_weight(c_, weights, [&](Index f, Index ky, Index t, T w) {
        weights_.data()[(ky * c_.line() + t) * filters + f] = w;
    });
    std::copy_n(bias, c_.filters, start_.data());
}

template <typename T>
void ConvStage<T>::pack_back(const T* weights) {
    const Index line = rounded_up<T>(c_.line());
    if (turned_.size() == 0) turned_ = Buffer<T>(c_.filters * c_.height * line);
    each_weight(c_, weights, [&](Index f, Index ky, Index t, T w) {
        turned_.data()[(f * c_.height + ky) * line + t] = w;
    });
}

template <typename T>
typename ConvStage<T>::Scratch ConvStage<T>::scratch_forward() const {
    const Index found = c_.out_rows() * c_.out_cols() * rounded_up<T>(c_.filters);
    return {
        Buffer<T>(c_.padded_image()), Buffer<T>(found), Buffer<T>(), zeros<Corner<T>>(found), {}};
}

template <typename T>
typename ConvStage<T>::Scratch ConvStage<T>::scratch_back(bool by_image) const {
    const Index padded = c_.padded_image() + rounded_up<T>(c_.line()); // beyond the last line
    const Index terms = std::max(c_.out_rows() * c_.out_cols(), 4 * c_.filters) + c_.filters;
    return {Buffer<T>(padded),
            Buffer<T>(),
            Buffer<T>(by_image ? padded : 0),
            {},
            zeros<Term<T>>(terms)};
}

template <typename T>
void ConvStage<T>::forward(const T* image, Scratch& scratch, T* out, std::uint8_t* places) const {
    const T* x = image;
    if (c_.padded_image() > c_.image()) {
        put_inside(c_, image, scratch.image.data());
        x = scratch.image.data();
    }
    kernels<T>().forward(c_, x, weights_.data(), start_.data(), scratch.found.data(),
                         scratch.where.data());
    kernels<T>().pack(c_, scratch.found.data(), scratch.where.data(), out, places);
}

template <typename T>
void ConvStage<T>::back(const T* image, const T* slopes, const std::uint8_t* places,
                        Scratch& scratch, T* sums, T* by_image) const {
    const Derivatives<T> d{slopes, places};
    put_inside(c_, image, scratch.image.data());
    T* const by_bias = sums + c_.filters * c_.height * rounded_up<T>(c_.line());
    add_by_weights(c_, scratch.image.data(), d, scratch.terms.data(), sums, by_bias);
    if (by_image == nullptr) return;
    std::fill_n(scratch.by_image.data(), scratch.by_image.size(), T(0));
    add_by_image(c_, turned_.data(), d, scratch.terms.data(), scratch.by_image.data());
    each_row(c_, scratch.by_image.data(), [&](Index first, const T* row, Index count) {
        copy_row(row, count, by_image + first);
    });
}

template <typename T>
Index ConvStage<T>::sums() const {
    return c_.filters * (c_.height * rounded_up<T>(c_.line()) + 1);
}

template <typename T>
void ConvStage<T>::unpack(const T* sums, T* by_weights, T* by_bias) const {
    const Index line = rounded_up<T>(c_.line());
    each_weight(c_, by_weights, [&](Index f, Index ky, Index t, T& w) {
        w = sums[(f * c_.height + ky) * line + t];
    });
    std::copy_n(sums + c_.filters * c_.height * line, c_.filters, by_bias);
}

template class ConvStage<float>;
template class ConvStage<double>;

} // namespace gramian::network
