// The second half of a step: gradients of the weights, strip by strip, and their moves.
#include "core/network/trainer.hpp"

#include "core/network/flush.hpp"
#include "core/runtime/pool.hpp"
#include "core/runtime/random.hpp"

#include <algorithm>
#include <cmath>

namespace gramian::network {
namespace {

constexpr std::uint64_t kNoise = 1u << 20; // stream of the seed; below it is dropout's
constexpr Index kCache = 20'000;           // bytes of a chunk of rows that stay in the cache

} // namespace

template <typename T>
Squares Trainer<T>::descend(Index rows, double weight, bool first, bool complete, std::int64_t t) {
    if (complete) correction_ = rate_correction(settings_.rule, t);
    const auto run = [&](Index number) {
        const FlushTiny flush;
        const Item& item = items_[static_cast<std::size_t>(number)];
        const Strip& strip = strips_[static_cast<std::size_t>(item.strip)];
        Squares& squares = squares_[static_cast<std::size_t>(item.strip * most_panels_)];
        if (strip.end == 0) {
            squares = run_vectors(strip, rows, weight, first, complete, t);
        } else if (packing_.places[static_cast<std::size_t>(strip.layer)].single()) {
            squares = run_single(strip, rows, weight, first, complete, t);
        } else {
            run_strip(item, rows, weight, first, complete, t);
        }
    };
    lanes_.run(static_cast<Index>(items_.size()), threads_, run);
    Squares total;
    for (std::size_t strip = 0; strip < strips_.size(); ++strip) {
        Squares own;
        for (Index panel = 0; panel < most_panels_; ++panel) {
            const auto at = strip * static_cast<std::size_t>(most_panels_);
            const Squares& of_panel = squares_[at + static_cast<std::size_t>(panel)];
            own.w += of_panel.w;
            own.g += of_panel.g;
        }
        total.w += own.w;
        total.g += own.g;
    }
    return total;
}

// h' d of some inputs. The rows come in chunks whose inputs stay in the cache for all panels.
template <typename T>
void Trainer<T>::run_strip(const Item& item, Index rows, double weight, bool first, bool complete,
                           std::int64_t t) {
    const Strip& strip = strips_[static_cast<std::size_t>(item.strip)];
    const Place& at = packing_.places[static_cast<std::size_t>(strip.layer)];
    Level& level = levels_[static_cast<std::size_t>(strip.layer)];
    const Rows<T> input = input_of(strip.layer, rows, item.copy);
    const Index width = 2 * products<T>().lanes, inputs = strip.end - strip.begin;
    const auto each_panel = [&](const auto& body) { // body(first column, columns, place)
        for (Index j = item.from; j < item.to; j += width) {
            const Index length = std::min(width, item.to - j);
            body(j, length, at.weights + j * at.in + strip.begin * length);
        }
    };
    const auto step = [&](Index j, Index length, Index from) {
        for (Index i = 0; settings_.noise > 0 && i < inputs; ++i) {
            add_noise(gradient_.data() + from + i * length, std::min(length, at.out - j),
                      static_cast<std::uint64_t>(from + i * length), t);
        }
        squares_[static_cast<std::size_t>(item.strip * most_panels_ + j / width)] =
            move(strip.layer, from, inputs * length, settings_.alpha / weight);
    };
    const Index most = kCache / ((inputs + width) * static_cast<Index>(sizeof(T)));
    const runtime::Blocks chunks{rows, (rows + rows / most) / (rows / most + 1)};
    for (Index chunk = 0; chunk < chunks.count(); ++chunk) {
        const Index begin = chunks.begin(chunk), end = chunks.end(chunk);
        const bool last = complete && chunk + 1 == chunks.count();
        each_panel([&](Index j, Index length, Index from) {
            products<T>().multiply({.a = input.row(begin) + strip.begin,
                                    .a_row = 1,
                                    .a_inner = input.stride,
                                    .b = level.d.data() + begin * level.stride + j,
                                    .b_row = level.stride,
                                    .c = gradient_.data() + from,
                                    .c_row = length,
                                    .c_rows = 0,
                                    .rows = inputs,
                                    .inner = end - begin,
                                    .cols = length,
                                    .start = nullptr,
                                    .add = !first || chunk > 0});
            if (last) step(j, length, from);
        });
    }
    if (complete && at.transposed >= 0 && settings_.rule.optimizer != Optimizer::none) {
        packing_.transpose(at, parameters_.data(), strip.begin, strip.end, transposed_.data());
    }
}

// The same of a layer with one output, whose weights are one row.
template <typename T>
Squares Trainer<T>::run_single(const Strip& strip, Index rows, double weight, bool first,
                               bool complete, std::int64_t t) {
    const Place& at = packing_.places[static_cast<std::size_t>(strip.layer)];
    const Level& level = levels_[static_cast<std::size_t>(strip.layer)];
    const Rows<T> input = input_of(strip.layer, rows);
    const Index inputs = strip.end - strip.begin, from = at.weights + strip.begin;
    const Index cols = padded<T>(inputs);
    T* g = gradient_.data() + from;
    products<T>().sum_rows(input.data + strip.begin, input.stride, level.d.data(), level.stride,
                           rows, cols, !first, g);
    std::fill(g + inputs, g + cols, T(0)); // beyond the inputs, weights stay 0
    if (!complete) return {};
    if (settings_.noise > 0) add_noise(g, inputs, static_cast<std::uint64_t>(from), t);
    return move(strip.layer, from, cols, settings_.alpha / weight);
}

template <typename T>
Squares Trainer<T>::run_vectors(const Strip& strip, Index rows, double weight, bool first,
                                bool complete, std::int64_t t) {
    const Place& at = packing_.places[static_cast<std::size_t>(strip.layer)];
    Level& level = levels_[static_cast<std::size_t>(strip.layer)];
    units<T>().add_up({level.d.data(), rows, at.cols, level.stride}, !first,
                      gradient_.data() + at.bias);
    Squares total;
    if (!complete) return total;
    const auto moved = [&](Index from, double decay) {
        if (settings_.noise > 0) {
            add_noise(gradient_.data() + from, at.out, static_cast<std::uint64_t>(from), t);
        }
        const Squares squares = move(strip.layer, from, at.cols, decay);
        if (decay > 0) total.w += squares.w;
        total.g += squares.g;
    };
    moved(at.bias, settings_.penalize_intercepts ? settings_.alpha / weight : 0.0);
    if (at.normal) {
        moved(at.gamma, 0.0);
        moved(at.beta, 0.0);
    }
    return total;
}

template <typename T>
Squares Trainer<T>::move(Index layer, Index at, Index size, double decay) {
    const Rule<double>& rule_in_double = settings_.rule;
    const double rate =
        rule_in_double.rate * correction_ * settings_.layer_rates[static_cast<std::size_t>(layer)];
    const Rule<T> rule{rule_in_double.optimizer,
                       static_cast<T>(rate),
                       static_cast<T>(rule_in_double.momentum),
                       static_cast<T>(rule_in_double.beta_1),
                       static_cast<T>(rule_in_double.beta_2),
                       static_cast<T>(rule_in_double.epsilon),
                       rule_in_double.nesterov};
    const auto of = [&](Buffer<T>& buffer) {
        return buffer.size() > 0 ? buffer.data() + at : nullptr;
    };
    return steps<T>().step(rule, static_cast<T>(decay),
                           {parameters_.data() + at, gradient_.data() + at, of(first_), of(second_),
                            of(largest_), of(mask_), size});
}

// Normal numbers by Box and Muller.
template <typename T>
void Trainer<T>::add_noise(T* g, Index count, std::uint64_t number, std::int64_t t) const {
    const double deviation =
        settings_.noise / std::pow(1 + static_cast<double>(t), settings_.noise_decay);
    const runtime::Philox random{settings_.seed, kNoise + static_cast<std::uint64_t>(t)};
    for (Index i = 0; i < count; ++i) {
        const auto block = random.block(number + static_cast<std::uint64_t>(i));
        const double u = 1 - runtime::Philox::uniform_of(runtime::Philox::bits(block, 0));
        const double v = runtime::Philox::uniform_of(runtime::Philox::bits(block, 1));
        g[i] += static_cast<T>(deviation * std::sqrt(-2 * std::log(u)) *
                               std::cos(6.283185307179586 * v));
    }
}

#define GRAMIAN_OF_TYPE(T)                                                                         \
    template Squares Trainer<T>::descend(Index, double, bool, bool, std::int64_t);
GRAMIAN_OF_TYPE(float)
GRAMIAN_OF_TYPE(double)
#undef GRAMIAN_OF_TYPE

} // namespace gramian::network
