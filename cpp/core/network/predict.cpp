#include "core/network/network.hpp"

#include "core/network/packed.hpp"
#include "core/network/product.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <utility>

namespace gramian::network {
namespace {

constexpr Index kBlock = 96;    // rows
constexpr Index kFew = 8;       // rows for which packing the weights costs more than it gives
constexpr double kSerial = 2e6; // multiply-adds below which threads cost more than they give

Index widest(const Shape& shape) {
    return *std::max_element(shape.widths.begin(), shape.widths.end());
}

template <typename T>
void copy_outputs(const Rows<T>& z, Index first, Matrix<T> out) {
    for (Index i = 0; i < z.rows; ++i) std::copy_n(z.row(i), out.cols, out.row(first + i));
}

// The activation of a layer, or the outputs of the last.
template <typename T>
void activate(const Shape& shape, Index layer, const Rows<T>& z) {
    if (layer + 1 < shape.layers()) {
        units<T>().activate(shape.activations[static_cast<std::size_t>(layer)], z);
    } else {
        units<T>().finish(shape.output, z, shape.out(layer));
    }
}

template <typename T>
void predict_few(const Shape& shape, const Layers<T>& layers, const Source<T>& X, Matrix<T> out) {
    const Index width = padded<T>(widest(shape));
    Buffer<T> from(width), to(width), single(width);
    for (Index i = 0; i < X.rows; ++i) {
        X.gather(X.table, nullptr, i, {from.data(), 1, X.cols, width});
        for (Index l = 0; l < shape.layers(); ++l) {
            const auto at = static_cast<std::size_t>(l);
            const Index in = shape.in(l), cols = padded<T>(in);
            if (shape.out(l) == 1) {
                pack_weights(layers.weights[at], in, 1, single.data());
                std::fill(from.data() + in, from.data() + cols, T(0));
                products<T>().multiply_column(from.data(), width, single.data(),
                                              layers.intercepts[at][0], 1, cols, to.data(), width);
            } else {
                products<T>().multiply_row(from.data(), layers.weights[at], layers.intercepts[at],
                                           in, shape.out(l), to.data());
            }
            activate<T>(shape, l, {to.data(), 1, padded<T>(shape.out(l)), width});
            std::swap(from, to);
        }
        copy_outputs<T>({from.data(), 1, width, width}, i, out);
    }
}

} // namespace

template <typename T>
void predict(const Shape& shape, const Layers<T>& layers, const Source<T>& X, Matrix<T> out) {
    if (X.rows <= kFew) return predict_few(shape, layers, X, out);
    std::vector<Buffer<T>> weights, bias;
    double work = X.work;
    for (Index l = 0; l < shape.layers(); ++l) {
        const Index in = shape.in(l), cols = padded<T>(shape.out(l));
        weights.emplace_back(packed_size<T>(in, shape.out(l)));
        bias.emplace_back(cols);
        pack_weights(layers.weights[static_cast<std::size_t>(l)], in, shape.out(l),
                     weights.back().data());
        std::copy_n(layers.intercepts[static_cast<std::size_t>(l)], shape.out(l),
                    bias.back().data());
        work += static_cast<double>(in) * static_cast<double>(cols);
    }
    const runtime::Blocks blocks{X.rows, kBlock};
    const Index stride = stride_of<T>(widest(shape));
    const auto body = [&](Index block) {
        const Index first = blocks.begin(block), rows = blocks.end(block) - first;
        Buffer<T> from(rows * stride), to(rows * stride);
        X.gather(X.table, nullptr, first, {from.data(), rows, X.cols, stride});
        for (Index l = 0; l < shape.layers(); ++l) {
            const auto at = static_cast<std::size_t>(l);
            const Index cols = padded<T>(shape.out(l));
            if (shape.out(l) == 1) {
                products<T>().multiply_column(from.data(), stride, weights[at].data(),
                                              bias[at].data()[0], rows, padded<T>(shape.in(l)),
                                              to.data(), stride);
            } else {
                products<T>().multiply({.a = from.data(),
                                        .a_row = stride,
                                        .a_inner = 1,
                                        .b = weights[at].data(),
                                        .b_row = 0,
                                        .c = to.data(),
                                        .c_row = stride,
                                        .c_rows = 0,
                                        .rows = rows,
                                        .inner = shape.in(l),
                                        .cols = cols,
                                        .start = bias[at].data(),
                                        .add = false});
            }
            activate<T>(shape, l, {to.data(), rows, cols, stride});
            std::swap(from, to);
        }
        copy_outputs<T>({from.data(), rows, stride, stride}, first, out);
    };
    runtime::parallel_for(blocks.count(), body,
                          work * static_cast<double>(X.rows) < kSerial ? 1 : 0);
}

#define GRAMIAN_OF_TYPE(T)                                                                         \
    template void predict(const Shape&, const Layers<T>&, const Source<T>&, Matrix<T>);
GRAMIAN_OF_TYPE(float)
GRAMIAN_OF_TYPE(double)
#undef GRAMIAN_OF_TYPE

} // namespace gramian::network
