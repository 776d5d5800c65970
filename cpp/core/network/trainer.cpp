#include "core/network/trainer.hpp"

#include "core/network/flush.hpp"
#include "core/network/mask.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>

namespace gramian::network {
namespace {

constexpr Index kBlock = 48;      // rows of a block of the first region, about
constexpr Index kComputed = 16;   // where rows are computed, which takes longer
constexpr Index kStrip = 48;      // inputs of a strip of weights: whole panels of every register
constexpr Index kLeast = 1 << 19; // bytes of weights whose columns are shared out
constexpr int kMostCopies = 4;    // of the inputs: more would take longer than they save
constexpr Index kColumns = 64;    // columns that batch normalisation takes at a time

// Rows of a block, so that every thread gets as many blocks; nothing computed depends on it.
template <typename T>
Index block_of(Index rows, const Source<T>& X) {
    if (X.back) return round_up(kComputed, X.together);
    const Index threads = runtime::num_threads(), round = threads * kBlock;
    const Index blocks = threads * std::max<Index>(1, (rows + round / 2) / round);
    return (rows + blocks - 1) / blocks;
}

// multiply-adds of a step below which threads cost more than they give
constexpr double kSerial = 5e6;

// multiply-adds of a row
template <typename T>
double work_of(const Shape& shape, const Source<T>& X) {
    double work = 2 * X.work;
    for (Index l = 0; l < shape.layers(); ++l) {
        work += static_cast<double>(packed_size<T>(shape.in(l), shape.out(l))) * (l > 0 ? 3 : 2);
    }
    return work;
}

} // namespace

template <typename T>
Trainer<T>::Trainer(const Settings& settings, const State<T>& state, const Source<T>& X)
    : settings_(settings), packing_(settings.shape, X.back != nullptr),
      part_(settings.shape.batch_norm ? settings.batch : std::min(settings.batch, kPart)),
      serial_(work_of<T>(settings.shape, X) * static_cast<double>(part_) < kSerial),
      threads_(serial_ ? 1 : runtime::num_threads()), parameters_(packing_.size),
      gradient_(packing_.size), first_(state.first ? packing_.size : 0),
      second_(state.second ? packing_.size : 0), largest_(state.largest ? packing_.size : 0),
      mask_(state.mask ? packing_.size : 0), transposed_(packing_.transposed_size),
      x_stride_(stride_of<T>(settings.shape.in(0))), losses_(static_cast<std::size_t>(part_)),
      scale_(static_cast<std::size_t>(part_)), right_(static_cast<std::size_t>(part_)),
      keeps_running_(state.mean != nullptr) {
    packing_.pack(state.parameters, parameters_.data());
    if (state.first) packing_.pack(state.first, first_.data());
    if (state.second) packing_.pack(state.second, second_.data());
    if (state.largest) packing_.pack(state.largest, largest_.data());
    if (state.mask) packing_.pack(state.mask, mask_.data());
    const Place& front = packing_.places[0];
    const bool own_columns = kLeast <= packed_size<T>(front.in, front.out) * Index{sizeof(T)} &&
                             2 <= threads_ && threads_ <= kMostCopies &&
                             threads_ * 2 * products<T>().lanes <= front.cols &&
                             packing_.places.size() > 1 && !settings_.shape.batch_norm &&
                             settings_.dropout[0] == 0 && settings_.dropout[1] == 0 && !X.back;
    for (int k = 0; k < (own_columns ? threads_ : 1); ++k) x_.emplace_back(part_ * x_stride_);
    if (settings_.dropout[0] > 0) x_mask_ = Buffer<T>(part_ * x_stride_);
    if (X.back) x_slopes_ = Buffer<T>(part_ * x_stride_);
    Index unit = 0;
    for (std::size_t l = 0; l < packing_.places.size(); ++l) {
        const Place& at = packing_.places[l];
        const bool hidden = l + 1 < packing_.places.size();
        Level level;
        level.stride = stride_of<T>(at.out);
        const Index size = part_ * level.stride;
        level.a = Buffer<T>(size);
        level.d = Buffer<T>(size);
        if (hidden && settings_.dropout[l + 1] > 0) {
            level.h = Buffer<T>(size);
            level.mask = Buffer<T>(size);
        }
        if (at.normal) {
            level.z = Buffer<T>(size);
            level.mean = Buffer<T>(at.cols);
            level.inverse_deviation = Buffer<T>(at.cols);
            level.running_mean = Buffer<T>(at.cols);
            level.running_variance = Buffer<T>(at.cols);
            if (keeps_running_) {
                std::copy_n(state.mean + unit, at.out, level.running_mean.data());
                std::copy_n(state.variance + unit, at.out, level.running_variance.data());
            }
            unit += at.out;
        }
        if (!hidden) targets_ = Buffer<T>(size);
        levels_.push_back(std::move(level));
        for (Index i = 0; i < at.in; i += kStrip) {
            strips_.push_back({static_cast<Index>(l), i, std::min(i + kStrip, at.in)});
        }
        strips_.push_back({static_cast<Index>(l), 0, 0}); // its vectors
        if (at.transposed >= 0) {
            packing_.transpose(at, parameters_.data(), 0, at.in, transposed_.data());
        }
    }
    const auto work = [&](const Strip& strip) {
        return (strip.end - strip.begin) *
               packing_.places[static_cast<std::size_t>(strip.layer)].cols;
    };
    std::stable_sort(strips_.begin(), strips_.end(), // the largest first: none is waited for
                     [&](const Strip& a, const Strip& b) { return work(a) > work(b); });
    list_items();
}

// Whole strips; or those of the first layer by groups of columns, so that each thread has the
// weights of its own columns, and what the optimiser remembers of them, in its own cache.
template <typename T>
void Trainer<T>::list_items() {
    const Index width = 2 * products<T>().lanes, groups = static_cast<Index>(x_.size());
    const auto list = [&](bool split) {
        for (std::size_t number = 0; number < strips_.size(); ++number) {
            const Strip& strip = strips_[number];
            const Index cols = packing_.places[static_cast<std::size_t>(strip.layer)].cols;
            most_panels_ = std::max(most_panels_, (cols + width - 1) / width);
            const bool splits = groups > 1 && strip.layer == 0 && strip.end > 0;
            if (splits != split) continue;
            for (Index k = 0; k < (split ? groups : 1); ++k) {
                items_.push_back({static_cast<Index>(number), split ? group(k) : 0,
                                  split ? group(k + 1) : cols, k});
            }
        }
    };
    list(true); // first, so that items of a group are those of a lane
    list(false);
    squares_.resize(strips_.size() * static_cast<std::size_t>(most_panels_));
}

template <typename T>
Index Trainer<T>::group(Index number) const {
    const Index width = 2 * products<T>().lanes, cols = packing_.places[0].cols;
    const Index panels = (cols + width - 1) / width, groups = static_cast<Index>(x_.size());
    return std::min(cols, panels * number / groups * width);
}

template <typename T>
void Trainer<T>::store(State<T>& state) const {
    packing_.unpack(parameters_.data(), state.parameters);
    if (state.first) packing_.unpack(first_.data(), state.first);
    if (state.second) packing_.unpack(second_.data(), state.second);
    if (state.largest) packing_.unpack(largest_.data(), state.largest);
    if (!keeps_running_) return;
    Index unit = 0;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
        const Place& at = packing_.places[l];
        if (!at.normal) continue;
        std::copy_n(levels_[l].running_mean.data(), at.out, state.mean + unit);
        std::copy_n(levels_[l].running_variance.data(), at.out, state.variance + unit);
        unit += at.out;
    }
}

template <typename T>
Index Trainer<T>::right(Index rows) const {
    return std::count(right_.begin(), right_.begin() + rows, std::uint8_t{1});
}

// The numbers that a layer multiplies by its weights.
template <typename T>
Rows<T> Trainer<T>::input_of(Index layer, Index rows, Index copy) {
    if (layer == 0) {
        T* x = x_[static_cast<std::size_t>(copy)].data();
        return {x, rows, packing_.places[0].in_cols, x_stride_};
    }
    Level& below = levels_[static_cast<std::size_t>(layer) - 1];
    return rows_of(below.h.size() > 0 ? below.h : below.a, below, rows,
                   packing_.places[static_cast<std::size_t>(layer)].in_cols);
}

// Zero with the probability p, else 1 / (1 - p), so that nothing needs scaling in prediction
// (inverted dropout). A unit of a row and a step has its own 16 bits.
template <typename T>
void Trainer<T>::draw_mask(Index layer, Index begin, Index end, std::int64_t draw) {
    const double p = settings_.dropout[static_cast<std::size_t>(layer)];
    const Index width = settings_.shape.widths[static_cast<std::size_t>(layer)];
    const bool input = layer == 0;
    Buffer<T>& mask = input ? x_mask_ : levels_[static_cast<std::size_t>(layer) - 1].mask;
    const Index stride = input ? x_stride_ : levels_[static_cast<std::size_t>(layer) - 1].stride;
    const Mask<T> rule{settings_.seed, static_cast<std::uint64_t>(layer),
                       static_cast<std::uint32_t>(std::lround(p * 65536)),
                       input && !settings_.scales_inputs ? T(1) : static_cast<T>(1 / (1 - p))};
    const auto blocks = static_cast<std::uint64_t>((width + 7) / 8); // of a row
    for (Index i = begin; i < end; ++i) {
        const auto row = static_cast<std::uint64_t>(draw + i);
        masks<T>().draw(rule, row * blocks, width, mask.data() + i * stride);
    }
}

template <typename T>
void Trainer<T>::gather(const Batch<T>& batch, Index begin, Index end, std::int64_t draw) {
    const Rows<T> x = input_of(0, end).from(begin, end);
    batch.X->gather(batch.X->table, batch.order, batch.first + begin, x);
    if (x_mask_.size() > 0) {
        draw_mask(0, begin, end, draw);
        const Rows<const T> mask{x_mask_.data() + begin * x_stride_, end - begin, x.cols, x.stride};
        units<T>().times({x.data, x.rows, x.cols, x.stride}, mask, x);
    }
    gather_targets(batch, begin, end);
}

template <typename T>
void Trainer<T>::gather_targets(const Batch<T>& batch, Index begin, Index end) {
    const Index outputs = packing_.places.back().out, stride = levels_.back().stride;
    const Targets<T>& targets = *batch.targets;
    const T binary[] = {targets.low, targets.high};
    for (Index i = begin; i < end; ++i) {
        const Index row = batch.row(i);
        T* y = targets_.data() + i * stride;
        if (targets.codes == nullptr) {
            std::copy_n(targets.values + row * outputs, outputs, y);
        } else if (outputs == 1) {
            y[0] = binary[targets.codes[row] == 1];
        } else {
            std::fill_n(y, outputs, targets.low);
            y[targets.codes[row]] = targets.high;
        }
        if (batch.weights) {
            scale_[static_cast<std::size_t>(i)] = static_cast<T>(batch.weights[row] / batch.weight);
        }
    }
    if (!batch.weights) {
        std::fill(scale_.begin() + begin, scale_.begin() + end, static_cast<T>(1 / batch.weight));
    }
}

template <typename T>
void Trainer<T>::forward(Index layer, Index begin, Index end) {
    const Place& at = packing_.places[static_cast<std::size_t>(layer)];
    Level& level = levels_[static_cast<std::size_t>(layer)];
    const Rows<T> input = input_of(layer, end).from(begin, end);
    Buffer<T>& out = at.normal ? level.z : level.a;
    if (at.single()) {
        return products<T>().multiply_column(
            input.data, input.stride, parameters_.data() + at.weights, parameters_.data()[at.bias],
            input.rows, input.cols, out.data() + begin * level.stride, level.stride);
    }
    products<T>().multiply({.a = input.data,
                            .a_row = input.stride,
                            .a_inner = 1,
                            .b = parameters_.data() + at.weights,
                            .b_row = 0,
                            .c = out.data() + begin * level.stride,
                            .c_row = level.stride,
                            .c_rows = 0,
                            .rows = end - begin,
                            .inner = at.in,
                            .cols = at.cols,
                            .start = parameters_.data() + at.bias,
                            .add = false});
}

template <typename T>
void Trainer<T>::activate(Index layer, Index begin, Index end, std::int64_t draw) {
    const Place& at = packing_.places[static_cast<std::size_t>(layer)];
    Level& level = levels_[static_cast<std::size_t>(layer)];
    const Rows<T> a = rows_of(level.a, level, end, at.cols).from(begin, end);
    units<T>().activate(settings_.shape.activations[static_cast<std::size_t>(layer)], a);
    if (level.mask.size() == 0) return;
    draw_mask(layer + 1, begin, end, draw);
    const Index from = begin * level.stride;
    units<T>().times({a.data, a.rows, a.cols, a.stride},
                     {level.mask.data() + from, a.rows, a.cols, a.stride},
                     {level.h.data() + from, a.rows, a.cols, a.stride});
}

// The first layer of all rows, for the columns of a group, from a copy of the inputs.
template <typename T>
void Trainer<T>::forward_columns(const Batch<T>& batch, Index number) {
    const Place& at = packing_.places[0];
    Level& level = levels_[0];
    const Rows<T> x = input_of(0, batch.rows, number);
    batch.X->gather(batch.X->table, batch.order, batch.first, x);
    const Index from = group(number), cols = group(number + 1) - from;
    products<T>().multiply({.a = x.data,
                            .a_row = x.stride,
                            .a_inner = 1,
                            .b = parameters_.data() + at.weights + from * at.in,
                            .b_row = 0,
                            .c = level.a.data() + from,
                            .c_row = level.stride,
                            .c_rows = 0,
                            .rows = batch.rows,
                            .inner = at.in,
                            .cols = cols,
                            .start = parameters_.data() + at.bias + from,
                            .add = false});
    units<T>().activate(settings_.shape.activations[0],
                        {level.a.data() + from, batch.rows, cols, level.stride});
}

template <typename T>
void Trainer<T>::loss_step(const Batch<T>& batch, Index begin, Index end) {
    const Place& at = packing_.places.back();
    Level& level = levels_.back();
    const Rows<T> z = rows_of(level.a, level, end, at.cols).from(begin, end);
    const Rows<T> d = rows_of(level.d, level, end, at.cols).from(begin, end);
    if (batch.targets->codes) {
        for (Index i = begin; i < end; ++i) {
            const T* row = z.row(i - begin);
            const Index found =
                at.out == 1 ? Index{row[0] > 0} : std::max_element(row, row + at.out) - row;
            right_[static_cast<std::size_t>(i)] = batch.targets->codes[batch.row(i)] == found;
        }
    }
    units<T>().loss_step(
        settings_.shape.output, z,
        {targets_.data() + begin * level.stride, end - begin, at.cols, level.stride}, at.out,
        scale_.data() + begin, d, losses_.data() + begin);
}

// d = d_l W_l' of the rows of d, for a layer of several units.
template <typename T>
void Trainer<T>::through_weights(const Place& at, const T* above, Index stride, Rows<T> d) const {
    products<T>().multiply({.a = above,
                            .a_row = stride,
                            .a_inner = 1,
                            .b = transposed_.data() + at.transposed,
                            .b_row = 0,
                            .c = d.data,
                            .c_row = d.stride,
                            .c_rows = 0,
                            .rows = d.rows,
                            .inner = at.out,
                            .cols = at.in_cols,
                            .start = nullptr,
                            .add = false});
}

// The derivatives by the sums of the layer below: d_{l-1} = (d_l W_l') * f'(z_{l-1}).
template <typename T>
void Trainer<T>::backward(Index layer, Index begin, Index end) {
    const Place& at = packing_.places[static_cast<std::size_t>(layer)];
    Level& level = levels_[static_cast<std::size_t>(layer)];
    Level& below = levels_[static_cast<std::size_t>(layer) - 1];
    const Rows<T> d = rows_of(below.d, below, end, at.in_cols).from(begin, end);
    const T* above = level.d.data() + begin * level.stride;
    const Index from = begin * below.stride;
    const Activation f = settings_.shape.activations[static_cast<std::size_t>(layer) - 1];
    const Rows<const T> a{below.a.data() + from, d.rows, d.cols, d.stride};
    const bool masked = below.mask.size() > 0;
    if (at.single()) {
        units<T>().spread(masked ? Activation::identity : f, above, level.stride,
                          parameters_.data() + at.weights, a, d);
        if (!masked) return;
    } else {
        through_weights(at, above, level.stride, d);
    }
    if (masked) {
        units<T>().times({d.data, d.rows, d.cols, d.stride},
                         {below.mask.data() + from, d.rows, d.cols, d.stride}, d);
    }
    units<T>().times_derivative(f, a, d);
}

// The derivatives by the inputs, for whoever computed them.
template <typename T>
void Trainer<T>::hand_back(const Batch<T>& batch, Index begin, Index end) {
    const Place& at = packing_.places[0];
    const Level& level = levels_[0];
    const Rows<T> d{x_slopes_.data() + begin * x_stride_, end - begin, at.in_cols, x_stride_};
    const T* above = level.d.data() + begin * level.stride;
    if (at.single()) {
        units<T>().spread(Activation::identity, above, level.stride,
                          parameters_.data() + at.weights, {d.data, d.rows, d.cols, d.stride}, d);
    } else {
        through_weights(at, above, level.stride, d);
    }
    const Rows<const T> slopes{d.data, d.rows, d.cols, d.stride};
    if (x_mask_.size() > 0) {
        units<T>().times(slopes, {x_mask_.data() + begin * x_stride_, d.rows, d.cols, d.stride}, d);
    }
    batch.X->back(batch.X->learner, batch.order, batch.first + begin, slopes);
}

template <typename T>
void Trainer<T>::normalise(Index layer, Index rows, double weight, bool back) {
    const Place& at = packing_.places[static_cast<std::size_t>(layer)];
    Level& level = levels_[static_cast<std::size_t>(layer)];
    const runtime::Blocks blocks{at.cols, kColumns};
    runtime::parallel_for(
        blocks.count(),
        [&](Index block) {
            const FlushTiny flush;
            const Index j = blocks.begin(block), cols = blocks.end(block) - j;
            const Normal<T> normal{
                .share = scale_.data(),
                .count = static_cast<T>(weight),
                .gamma = parameters_.data() + at.gamma + j,
                .beta = parameters_.data() + at.beta + j,
                .mean = level.mean.data() + j,
                .inverse_deviation = level.inverse_deviation.data() + j,
                .running_mean = keeps_running_ ? level.running_mean.data() + j : nullptr,
                .running_variance = keeps_running_ ? level.running_variance.data() + j : nullptr,
                .keep = static_cast<T>(settings_.norm_keep),
                .epsilon = static_cast<T>(settings_.norm_epsilon)};
            T* z = level.z.data() + j;
            if (back) {
                units<T>().normalise_back(normal, {z, rows, cols, level.stride},
                                          {level.d.data() + j, rows, cols, level.stride},
                                          gradient_.data() + at.gamma + j,
                                          gradient_.data() + at.beta + j);
            } else {
                units<T>().normalise(normal, {z, rows, cols, level.stride},
                                     {level.a.data() + j, rows, cols, level.stride});
            }
        },
        static_cast<double>(rows * at.cols) < kSerial / 4 ? 1 : 0);
}

template <typename T>
void Trainer<T>::propagate(const Batch<T>& batch, std::int64_t draw) {
    const runtime::Blocks blocks{batch.rows, serial_ ? part_ : block_of(batch.rows, *batch.X)};
    const auto rows = [&](const auto& body) {
        lanes_.run(blocks.count(), threads_, [&](Index block) {
            const FlushTiny flush;
            body(blocks.begin(block), blocks.end(block));
        });
    };
    const Index last = settings_.shape.layers() - 1;
    if (splits_columns()) {
        lanes_.run(static_cast<Index>(x_.size()), threads_, [&](Index number) {
            const FlushTiny flush;
            forward_columns(batch, number);
        });
        return rows([&](Index begin, Index end) {
            gather_targets(batch, begin, end);
            for (Index l = 1; l < last; ++l) {
                forward(l, begin, end);
                activate(l, begin, end, draw);
            }
            forward(last, begin, end);
            loss_step(batch, begin, end);
            for (Index l = last; l > 0; --l) backward(l, begin, end);
        });
    }
    if (!settings_.shape.batch_norm) {
        return rows([&](Index begin, Index end) {
            gather(batch, begin, end, draw);
            for (Index l = 0; l < last; ++l) {
                forward(l, begin, end);
                activate(l, begin, end, draw);
            }
            forward(last, begin, end);
            loss_step(batch, begin, end);
            for (Index l = last; l > 0; --l) backward(l, begin, end);
            if (batch.X->back) hand_back(batch, begin, end);
        });
    }
    rows([&](Index begin, Index end) { gather(batch, begin, end, draw); });
    for (Index l = 0; l < last; ++l) {
        rows([&](Index begin, Index end) { forward(l, begin, end); });
        normalise(l, batch.rows, batch.weight, false);
        rows([&](Index begin, Index end) { activate(l, begin, end, draw); });
    }
    rows([&](Index begin, Index end) {
        forward(last, begin, end);
        loss_step(batch, begin, end);
    });
    for (Index l = last; l > 0; --l) {
        rows([&](Index begin, Index end) { backward(l, begin, end); });
        normalise(l - 1, batch.rows, batch.weight, true);
    }
}

template class Trainer<float>;
template class Trainer<double>;

} // namespace gramian::network
