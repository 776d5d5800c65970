// The memory of a network in training, and the two halves of a step (network.hpp).
#pragma once

#include "core/network/lanes.hpp"
#include "core/network/network.hpp"
#include "core/network/packed.hpp"
#include "core/network/product.hpp"

namespace gramian::network {

constexpr Index kPart = 512; // rows whose numbers are in memory at once

// Rows of a batch with their targets.
template <typename T>
struct Batch {
    const Source<T>* X;
    const Targets<T>* targets;
    const double* weights;
    const std::int32_t* order; // null: the rows in their order
    Index first, rows;         // among the order
    double weight;             // of the whole batch, of which this may be a part

    Index row(Index i) const { return order ? order[first + i] : first + i; }
};

template <typename T>
class Trainer {
public:
    Trainer(const Settings& settings, const State<T>& state, const Source<T>& X);

    // Rows that go through the layers together.
    Index part() const { return part_; }
    // Forward and back: the derivatives of the loss by the sums z of every layer. The masks of
    // dropout are those of the rows number `draw`, `draw` + 1, ... that are drawn.
    void propagate(const Batch<T>& batch, std::int64_t draw);
    // The gradient of the rows propagated last, added to that of the parts before; and where the
    // batch is complete, a step of the optimiser. Returns sums of squares then.
    Squares descend(Index rows, double weight, bool first, bool complete, std::int64_t t);

    const double* losses() const { return losses_.data(); }
    Index right(Index rows) const;
    void store(State<T>& state) const;
    void gradient(T* plain) const { packing_.unpack(gradient_.data(), plain); }

private:
    struct Level { // a layer's numbers for the rows of a part
        Buffer<T> z, a, h, mask, d;
        Buffer<T> mean, inverse_deviation, running_mean, running_variance;
        Index stride;
    };
    struct Strip { // of weights: inputs begin .. end - 1 of a layer; or its vectors
        Index layer, begin, end;
    };
    struct Item { // columns from .. to - 1 of a strip, with a copy of the inputs
        Index strip, from, to, copy;
    };

    Rows<T> rows_of(Buffer<T>& buffer, const Level& level, Index rows, Index cols) {
        return {buffer.data(), rows, cols, level.stride};
    }
    Rows<T> input_of(Index layer, Index rows, Index copy = 0);
    void list_items();
    bool splits_columns() const { return x_.size() > 1; }
    Index group(Index number) const; // the first column of a group of the first layer's
    void gather(const Batch<T>& batch, Index begin, Index end, std::int64_t draw);
    void gather_targets(const Batch<T>& batch, Index begin, Index end);
    void forward_columns(const Batch<T>& batch, Index number);
    void draw_mask(Index layer, Index begin, Index end, std::int64_t draw);
    void forward(Index layer, Index begin, Index end);
    void activate(Index layer, Index begin, Index end, std::int64_t draw);
    void loss_step(const Batch<T>& batch, Index begin, Index end);
    void through_weights(const Place& at, const T* above, Index stride, Rows<T> d) const;
    void backward(Index layer, Index begin, Index end);
    void hand_back(const Batch<T>& batch, Index begin, Index end);
    void normalise(Index layer, Index rows, double weight, bool back);
    void run_strip(const Item& item, Index rows, double weight, bool first, bool complete,
                   std::int64_t t);
    Squares run_single(const Strip& strip, Index rows, double weight, bool first, bool complete,
                       std::int64_t t);
    Squares run_vectors(const Strip& strip, Index rows, double weight, bool first, bool complete,
                        std::int64_t t);
    Squares move(Index layer, Index at, Index size, double decay);
    void add_noise(T* g, Index count, std::uint64_t number, std::int64_t t) const;

    const Settings& settings_;
    Packing<T> packing_;
    Index part_;
    bool serial_; // steps so small that threads cost more than they give
    int threads_;
    double correction_ = 1; // of the rate, for moments of the first steps (Adam)
    Buffer<T> parameters_, gradient_, first_, second_, largest_, mask_, transposed_;
    std::vector<Buffer<T>> x_; // one, or a copy for each group of columns
    Buffer<T> x_mask_, x_slopes_, targets_;
    Index x_stride_;
    std::vector<Level> levels_;
    std::vector<Strip> strips_;
    std::vector<Item> items_;
    Index most_panels_ = 1;
    std::vector<Squares> squares_; // of each strip and panel, so that none depends on the items
    std::vector<double> losses_;
    std::vector<T> scale_;
    std::vector<std::uint8_t> right_;
    bool keeps_running_;
    Lanes lanes_;
};

} // namespace gramian::network
