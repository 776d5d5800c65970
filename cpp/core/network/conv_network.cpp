#include "core/network/conv_network.hpp"

#include "core/network/conv_stage.hpp"
#include "core/network/flush.hpp"
#include "core/network/trainer.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>

namespace gramian::network {
namespace {

// The stages before the perceptron, with what they remember of the rows of a batch.
template <typename T>
class Stack {
public:
    // Room for the derivatives of so many rows; 0: only forward.
    Stack(const Stages& stages, Matrix<const T> images, Index rows) : images_(images) {
        for (const ConvPool& c : stages) {
            Level level{ConvStage<T>(c), {}, {}, Buffer<T>()};
            const bool last = levels_.size() + 1 == stages.size();
            level.maps.resize(static_cast<std::size_t>(last ? 0 : rows * c.pooled()));
            level.places.resize(static_cast<std::size_t>(rows * c.pooled()));
            const Index groups = (rows + kImages - 1) / kImages;
            level.sums = Buffer<T>(groups * level.stage.sums());
            levels_.push_back(std::move(level));
        }
    }

    void pack(const T* parameters, bool back) {
        for (std::size_t s = 0; s < levels_.size(); ++s) {
            ConvStage<T>& stage = levels_[s].stage;
            const T* bias = parameters + stage.conv().weights();
            stage.pack_forward(parameters, bias);
            if (back && s > 0) stage.pack_back(parameters);
            parameters = bias + stage.conv().filters;
        }
    }

    // The number, in the order, of the row whose derivatives are remembered first.
    void begin(Index first) { first_ = first; }

    Source<T> source(bool back) {
        Source<T> made{};
        made.table = this;
        made.rows = images_.rows;
        made.cols = levels_.back().stage.conv().pooled();
        for (const Level& level : levels_) made.work += level.stage.conv().work();
        if (!back) {
            made.gather = [](const void* table, const std::int32_t* order, Index first,
                             Rows<T> out) {
                static_cast<const Stack*>(table)->evaluate(order, first, out);
            };
            return made;
        }
        made.gather = [](const void* table, const std::int32_t* order, Index first, Rows<T> out) {
            // the rows of a batch have memory of their own, so threads do not meet
            const_cast<Stack*>(static_cast<const Stack*>(table))->forward(order, first, out);
        };
        made.back = [](void* learner, const std::int32_t* order, Index first,
                       Rows<const T> slopes) {
            static_cast<Stack*>(learner)->back(order, first, slopes);
        };
        made.learner = this;
        made.together = kImages;
        return made;
    }

    // Adds the derivatives by the parameters, of the rows handed back last, to `to`; or sets them.
    void collect(Index rows, bool add, T* to) {
        std::vector<T> own;
        for (Level& level : levels_) {
            const ConvPool& c = level.stage.conv();
            const Index size = level.stage.sums();
            for (Index group = 1; group * kImages < rows; ++group) {
                const T* from = level.sums.data() + group * size;
                T* sum = level.sums.data();
                for (Index k = 0; k < size; ++k) sum[k] += from[k];
            }
            const Index count = c.weights() + c.filters;
            own.resize(static_cast<std::size_t>(count));
            level.stage.unpack(level.sums.data(), own.data(), own.data() + c.weights());
            for (Index k = 0; k < count; ++k) to[k] = add ? to[k] + own.data()[k] : own.data()[k];
            to += count;
        }
    }

private:
    struct Level {
        ConvStage<T> stage;
        std::vector<T> maps;              // of the rows; the last stage's are the perceptron's
        std::vector<std::uint8_t> places; // of their maxima
        Buffer<T> sums;                   // derivatives by the parameters, of kImages rows each
    };
    using Scratch = typename ConvStage<T>::Scratch;

    const T* image(const std::int32_t* order, Index at) const {
        return images_.row(order ? order[at] : at);
    }

    void evaluate(const std::int32_t* order, Index first, Rows<T> out) const {
        std::vector<Scratch> scratch;
        std::vector<std::vector<T>> maps;
        for (const Level& level : levels_) {
            scratch.push_back(level.stage.scratch_forward());
            maps.emplace_back(static_cast<std::size_t>(level.stage.conv().pooled()));
        }
        for (Index i = 0; i < out.rows; ++i) {
            const T* from = image(order, first + i);
            for (std::size_t s = 0; s < levels_.size(); ++s) {
                T* to = s + 1 < levels_.size() ? maps[s].data() : out.row(i);
                levels_[s].stage.forward(from, scratch[s], to, nullptr);
                from = to;
            }
        }
    }

    void forward(const std::int32_t* order, Index first, Rows<T> out) {
        std::vector<Scratch> scratch;
        for (const Level& level : levels_) scratch.push_back(level.stage.scratch_forward());
        for (Index i = 0; i < out.rows; ++i) {
            const T* from = image(order, first + i);
            for (std::size_t s = 0; s < levels_.size(); ++s) {
                Level& level = levels_[s];
                const Index at = (first + i - first_) * level.stage.conv().pooled();
                T* to = s + 1 < levels_.size() ? level.maps.data() + at : out.row(i);
                level.stage.forward(from, scratch[s], to, level.places.data() + at);
                from = to;
            }
        }
    }

    void back(const std::int32_t* order, Index first, Rows<const T> slopes) {
        std::vector<Scratch> scratch;
        std::vector<std::vector<T>> by_maps; // of the stages before
        for (std::size_t s = 0; s < levels_.size(); ++s) {
            const ConvStage<T>& stage = levels_[s].stage;
            scratch.push_back(stage.scratch_back(s > 0));
            by_maps.emplace_back(static_cast<std::size_t>(s > 0 ? stage.conv().image() : 0));
        }
        for (Index i = 0; i < slopes.rows; ++i) {
            const Index row = first + i - first_;
            const T* d = slopes.row(i);
            for (std::size_t s = levels_.size(); s-- > 0;) {
                Level& level = levels_[s];
                const ConvPool& c = level.stage.conv();
                T* sums = level.sums.data() + row / kImages * level.stage.sums();
                if (row % kImages == 0) std::fill_n(sums, level.stage.sums(), T(0));
                const T* from =
                    s > 0 ? levels_[s - 1].maps.data() + row * c.image() : image(order, first + i);
                T* by_map = s > 0 ? by_maps[s].data() : nullptr;
                level.stage.back(from, d, level.places.data() + row * c.pooled(), scratch[s], sums,
                                 by_map);
                d = by_map;
            }
        }
    }

    Matrix<const T> images_;
    Index first_ = 0;
    std::vector<Level> levels_;
};

// The parameters of the stages, which are few: one thread moves them.
template <typename T>
class StageSteps {
public:
    StageSteps(const Stages& stages, const State<T>& state) {
        Index plain = 0, packed = 0;
        for (const ConvPool& c : stages) {
            for (const bool bias : {false, true}) {
                const Index size = bias ? c.filters : c.weights();
                stretches_.push_back({plain, packed, size, !bias});
                plain += size;
                packed += round_up(size, 64 / static_cast<Index>(sizeof(T)));
            }
        }
        w_ = packed_of(state.parameters, packed);
        first_ = packed_of(state.first, packed);
        second_ = packed_of(state.second, packed);
        g_ = Buffer<T>(packed);
    }

    // Copies the new parameters to `moved`; those of the state change in `store` alone.
    void move(const T* gradient, const Rule<T>& rule, T decay, T* moved) {
        const FlushTiny flush;
        for (const auto& [plain, packed, size, decays] : stretches_) {
            std::copy_n(gradient + plain, size, g_.data() + packed);
            steps<T>().step(rule, decays ? decay : T(0),
                            {w_.data() + packed, g_.data() + packed, at(first_, packed),
                             at(second_, packed), nullptr, nullptr,
                             round_up(size, 64 / static_cast<Index>(sizeof(T)))});
            std::copy_n(w_.data() + packed, size, moved + plain);
        }
    }

    void store(State<T>& state) const {
        for (const auto& [plain, packed, size, decays] : stretches_) {
            std::copy_n(w_.data() + packed, size, state.parameters + plain);
            if (state.first) std::copy_n(first_.data() + packed, size, state.first + plain);
            if (state.second) std::copy_n(second_.data() + packed, size, state.second + plain);
        }
    }

private:
    struct Piece { // weights or biases of a stage; packed, they end with a line of the cache
        Index plain, packed, size;
        bool decays;
    };

    Buffer<T> packed_of(const T* unpacked, Index size) const {
        Buffer<T> made(unpacked ? size : 0);
        if (!unpacked) return made;
        for (const Piece& piece : stretches_) {
            std::copy_n(unpacked + piece.plain, piece.size, made.data() + piece.packed);
        }
        return made;
    }
    static T* at(Buffer<T>& buffer, Index packed) {
        return buffer.size() > 0 ? buffer.data() + packed : nullptr;
    }

    std::vector<Piece> stretches_;
    Buffer<T> w_, g_, first_, second_;
};

} // namespace

Index stage_parameters(const Stages& stages) {
    Index total = 0;
    for (const ConvPool& c : stages) total += c.weights() + c.filters;
    return total;
}

template <typename T>
Pass conv_epoch(const Settings& initial, const Stages& stages, Matrix<const T> images,
                const Targets<T>& targets, const double* weights, Vector<const std::int32_t> order,
                State<T>& state) {
    const Index own = stage_parameters(stages);
    const auto after = [own](T* array) { return array ? array + own : nullptr; };
    State<T> dense = state;
    dense.parameters = after(state.parameters);
    dense.first = after(state.first);
    dense.second = after(state.second);

    Settings settings = initial; // whose epsilon changes with the steps
    const Index part = std::min(settings.batch, kPart);
    Stack<T> stack(stages, images, part);
    const Source<T> source = stack.source(true);
    Trainer<T> trainer(settings, dense, source);
    StageSteps<T> moves(stages, state);
    std::vector<T> gradient(static_cast<std::size_t>(own));
    std::vector<T> moved(static_cast<std::size_t>(own));
    stack.pack(state.parameters, true);

    const double each = settings.shape.output == Output::softmax
                            ? 1.0
                            : static_cast<double>(settings.shape.widths.back());
    Pass pass;
    for (Index first = 0; first < order.size && pass.finite; first += settings.batch) {
        const Index end = std::min(first + settings.batch, order.size);
        settings.rule.epsilon = corrected<double>(initial.rule, state.t).epsilon;
        for (Index from = first; from < end; from += part) {
            Batch<T> batch{&source,
                           &targets,
                           weights,
                           order.data,
                           from,
                           std::min(part, end - from),
                           static_cast<double>(end - first) * each};
            stack.begin(from);
            trainer.propagate(batch, state.t * settings.batch + (from - first));
            for (Index i = 0; i < batch.rows; ++i) {
                pass.loss += trainer.losses()[i] * (weights ? weights[batch.row(i)] : 1.0) / each;
            }
            stack.collect(batch.rows, from > first, gradient.data());
            trainer.descend(batch.rows, 1.0, from == first, from + batch.rows == end, state.t);
            runtime::poll_interrupt();
        }
        moves.move(gradient.data(), corrected<T>(initial.rule, state.t),
                   static_cast<T>(settings.alpha), moved.data());
        stack.pack(moved.data(), true);
        if (pass.steps == 0) pass.start = pass.loss / static_cast<double>(end - first);
        pass.finite = std::isfinite(pass.loss);
        ++pass.steps;
        ++state.t;
    }
    pass.loss /= static_cast<double>(order.size);
    trainer.store(dense);
    moves.store(state);
    return pass;
}

template <typename T>
void conv_predict(const Shape& shape, const Stages& stages, const T* parameters,
                  Matrix<const T> images, Matrix<T> out) {
    Stack<T> stack(stages, images, 0);
    stack.pack(parameters, false);
    const T* at = parameters + stage_parameters(stages);
    Layers<T> layers;
    for (Index l = 0; l < shape.layers(); ++l) {
        layers.weights.push_back(at);
        at += shape.in(l) * shape.out(l);
    }
    for (Index l = 0; l < shape.layers(); ++l) {
        layers.intercepts.push_back(at);
        at += shape.out(l);
    }
    predict<T>(shape, layers, stack.source(false), out);
}

#define GRAMIAN_OF_TYPE(T)                                                                         \
    template Pass conv_epoch(const Settings&, const Stages&, Matrix<const T>, const Targets<T>&,   \
                             const double*, Vector<const std::int32_t>, State<T>&);                \
    template void conv_predict(const Shape&, const Stages&, const T*, Matrix<const T>, Matrix<T>);
GRAMIAN_OF_TYPE(float)
GRAMIAN_OF_TYPE(double)
#undef GRAMIAN_OF_TYPE

} // namespace gramian::network
