#include "core/network/packed.hpp"

#include "core/network/mask.hpp"
#include "core/network/product.hpp"
#include "core/network/step.hpp"
#include "core/network/units.hpp"
#include "core/runtime/isa.hpp"

#include <algorithm>
#include <type_traits>

GRAMIAN_DISPATCH(network, AllProductKernels, product_kernels, product_table)
GRAMIAN_DISPATCH(network, AllUnitKernels, unit_kernels, unit_table)
GRAMIAN_DISPATCH(network, AllStepKernels, step_kernels, step_table)
GRAMIAN_DISPATCH(network, AllMaskKernels, mask_kernels, mask_table)

namespace gramian::network {
namespace {

template <typename T, typename Tables>
const auto& of_type(const Tables& tables) {
    if constexpr (std::is_same_v<T, float>) {
        return tables.single;
    } else {
        return tables.dbl;
    }
}

template <typename T>
Index lanes() {
    return products<T>().lanes;
}

// body(panel's first column, its columns, the length of its packed rows)
template <typename T, typename Body>
void each_panel(Index out, const Body& body) {
    const Index width = 2 * lanes<T>(), cols = padded<T>(out);
    for (Index j = 0; j < cols; j += width) {
        body(j, std::min(width, out - j), std::min(width, cols - j));
    }
}

} // namespace

template <typename T>
const ProductKernels<T>& products() {
    return of_type<T>(product_table());
}
template <typename T>
const UnitKernels<T>& units() {
    return of_type<T>(unit_table());
}
template <typename T>
const StepKernels<T>& steps() {
    return of_type<T>(step_table());
}
template <typename T>
const MaskKernels<T>& masks() {
    return of_type<T>(mask_table());
}

Index Shape::hidden_units() const {
    Index total = 0;
    for (Index l = 0; l + 1 < layers(); ++l) total += out(l);
    return total;
}

Index Shape::parameters() const {
    Index total = batch_norm ? 2 * hidden_units() : 0;
    for (Index l = 0; l < layers(); ++l) total += (in(l) + 1) * out(l);
    return total;
}

Index round_up(Index number, Index step) {
    return (number + step - 1) / step * step;
}

template <typename T>
Index padded(Index columns) {
    return round_up(columns, lanes<T>());
}

template <typename T>
Index stride_of(Index columns) {
    constexpr Index line = 64 / sizeof(T);
    const Index stride = round_up(columns, line);
    return stride % (4 * line) == 0 ? stride + line : stride;
}

template <typename T>
Index packed_size(Index in, Index out) {
    return out == 1 ? padded<T>(in) : in * padded<T>(out);
}

template <typename T>
void pack_weights(const T* plain, Index in, Index out, T* packed) {
    if (out == 1) {
        std::fill(std::copy_n(plain, in, packed), packed + padded<T>(in), T(0));
        return;
    }
    each_panel<T>(out, [&](Index first, Index columns, Index length) {
        T* to = packed + first * in;
        for (Index i = 0; i < in; ++i, to += length) {
            const T* from = plain + i * out + first;
            std::copy(from, from + columns, to);
            std::fill(to + columns, to + length, T(0));
        }
    });
}

template <typename T>
void unpack_weights(const T* packed, Index in, Index out, T* plain) {
    if (out == 1) {
        std::copy_n(packed, in, plain);
        return;
    }
    each_panel<T>(out, [&](Index first, Index columns, Index length) {
        const T* from = packed + first * in;
        for (Index i = 0; i < in; ++i, from += length) {
            std::copy(from, from + columns, plain + i * out + first);
        }
    });
}

template <typename T>
Packing<T>::Packing(const Shape& shape, bool first_too) {
    const Index line = 64 / sizeof(T), layers = shape.layers();
    Index plain = 0;
    for (Index l = 0; l < layers; ++l) {
        Place at{};
        at.in = shape.in(l);
        at.out = shape.out(l);
        at.cols = padded<T>(at.out);
        at.in_cols = padded<T>(at.in);
        at.normal = shape.batch_norm && l + 1 < layers;
        at.weights = size;
        size += round_up(packed_size<T>(at.in, at.out), line);
        at.plain_weights = plain;
        plain += at.in * at.out;
        at.transposed = -1;
        if ((l > 0 || first_too) && !at.single()) {
            at.transposed = transposed_size;
            transposed_size += round_up(at.out * at.in_cols, line);
        }
        places.push_back(at);
    }
    const auto place = [&](Index& packed_at, Index& plain_at, const Place& at) {
        packed_at = size;
        size += round_up(at.cols, line);
        plain_at = plain;
        plain += at.out;
    };
    for (Place& at : places) place(at.bias, at.plain_bias, at);
    for (Place& at : places) {
        if (at.normal) place(at.gamma, at.plain_gamma, at);
    }
    for (Place& at : places) {
        if (at.normal) place(at.beta, at.plain_beta, at);
    }
}

template <typename T>
void Packing<T>::pack(const T* plain, T* packed) const {
    for (const Place& at : places) {
        pack_weights(plain + at.plain_weights, at.in, at.out, packed + at.weights);
        std::copy_n(plain + at.plain_bias, at.out, packed + at.bias);
        if (!at.normal) continue;
        std::copy_n(plain + at.plain_gamma, at.out, packed + at.gamma);
        std::copy_n(plain + at.plain_beta, at.out, packed + at.beta);
    }
}

template <typename T>
void Packing<T>::unpack(const T* packed, T* plain) const {
    for (const Place& at : places) {
        unpack_weights(packed + at.weights, at.in, at.out, plain + at.plain_weights);
        std::copy_n(packed + at.bias, at.out, plain + at.plain_bias);
        if (!at.normal) continue;
        std::copy_n(packed + at.gamma, at.out, plain + at.plain_gamma);
        std::copy_n(packed + at.beta, at.out, plain + at.plain_beta);
    }
}

template <typename T>
void Packing<T>::transpose(const Place& at, const T* packed, Index begin, Index end,
                           T* transposed) const {
    const T* weights = packed + at.weights;
    each_panel<T>(at.in, [&](Index first, Index inputs, Index length) {
        if (first < begin || first >= end) return;
        T* to = transposed + at.transposed + first * at.out;
        each_panel<T>(at.out, [&](Index column, Index columns, Index own) {
            const T* from = weights + column * at.in + first * own;
            for (Index i = 0; i < inputs; ++i) {
                for (Index j = 0; j < columns; ++j) {
                    to[(column + j) * length + i] = from[i * own + j];
                }
            }
        });
    });
}

#define GRAMIAN_OF_TYPE(T)                                                                         \
    template const ProductKernels<T>& products();                                                  \
    template const UnitKernels<T>& units();                                                        \
    template const StepKernels<T>& steps();                                                        \
    template const MaskKernels<T>& masks();                                                        \
    template Index padded<T>(Index);                                                               \
    template Index stride_of<T>(Index);                                                            \
    template Index packed_size<T>(Index, Index);                                                   \
    template void pack_weights(const T*, Index, Index, T*);                                        \
    template void unpack_weights(const T*, Index, Index, T*);                                      \
    template struct Packing<T>;
GRAMIAN_OF_TYPE(float)
GRAMIAN_OF_TYPE(double)
#undef GRAMIAN_OF_TYPE

} // namespace gramian::network
