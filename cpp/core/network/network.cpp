#include "core/network/network.hpp"

#include "core/network/flush.hpp"
#include "core/network/trainer.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>

namespace gramian::network {
namespace {

// The rows of a batch, forward and back in parts, and a step. Adds to the pass what the rows lost,
// times the weight of the batch; without weight, the batch is passed over.
template <typename T>
void run_batch(const Settings& settings, Batch<T> batch, Trainer<T>& trainer, std::int64_t& t,
               double* losses, Pass& pass) {
    const Index begin = batch.first, end = begin + batch.rows;
    batch.weight = batch.weights ? 0.0 : static_cast<double>(batch.rows);
    for (Index i = 0; batch.weights && i < batch.rows; ++i) {
        batch.weight += batch.weights[batch.row(i)];
    }
    if (!(batch.weight > 0)) return;
    Squares squares;
    for (Index from = begin; from < end; from += trainer.part()) {
        batch.first = from;
        batch.rows = std::min(trainer.part(), end - from);
        trainer.propagate(batch, t * settings.batch + (from - begin));
        for (Index i = 0; i < batch.rows; ++i) {
            const Index row = batch.row(i);
            pass.loss += trainer.losses()[i] * (batch.weights ? batch.weights[row] : 1.0);
            if (losses) losses[row] = trainer.losses()[i];
        }
        if (batch.targets->codes) pass.right += trainer.right(batch.rows);
        squares = trainer.descend(batch.rows, settings.divides_penalty ? batch.weight : 1.0,
                                  from == begin, from + batch.rows == end, t);
        runtime::poll_interrupt();
    }
    if (settings.divides_penalty) pass.loss += settings.alpha / 2 * squares.w;
    if (pass.steps == 0) pass.start = pass.loss / batch.weight;
    pass.gradient_square += squares.g;
    pass.finite = pass.finite && std::isfinite(pass.loss) && std::isfinite(squares.g);
    ++pass.steps;
    ++t;
}

double total_weight(const double* weights, const std::int32_t* order, Index n) {
    if (!weights) return static_cast<double>(n);
    double total = 0;
    for (Index i = 0; i < n; ++i) total += weights[order ? order[i] : i];
    return total;
}

} // namespace

template <typename T>
Pass epoch(const Settings& settings, const Source<T>& X, const Targets<T>& targets,
           const double* weights, Vector<const std::int32_t> order, State<T>& state,
           double* losses) {
    Trainer<T> trainer(settings, state, X);
    Pass pass;
    for (Index first = 0; first < order.size && pass.finite; first += settings.batch) {
        const Index rows = std::min(settings.batch, order.size - first);
        run_batch<T>(settings, {&X, &targets, weights, order.data, first, rows, 0.0}, trainer,
                     state.t, losses, pass);
    }
    pass.loss /= total_weight(weights, order.data, order.size);
    pass.gradient_square /= static_cast<double>(std::max<Index>(1, pass.steps));
    trainer.store(state);
    return pass;
}

template <typename T>
Pass gradient(const Settings& settings, const Source<T>& X, const Targets<T>& targets,
              const double* weights, State<T>& state, T* gradient) {
    Trainer<T> trainer(settings, state, X);
    Pass pass;
    std::int64_t t = state.t;
    run_batch<T>(settings, {&X, &targets, weights, nullptr, 0, X.rows, 0.0}, trainer, t, nullptr,
                 pass);
    pass.loss /= total_weight(weights, nullptr, X.rows);
    trainer.gradient(gradient);
    return pass;
}

#define GRAMIAN_OF_TYPE(T)                                                                         \
    template Pass epoch(const Settings&, const Source<T>&, const Targets<T>&, const double*,       \
                        Vector<const std::int32_t>, State<T>&, double*);                           \
    template Pass gradient(const Settings&, const Source<T>&, const Targets<T>&, const double*,    \
                           State<T>&, T*);
GRAMIAN_OF_TYPE(float)
GRAMIAN_OF_TYPE(double)
#undef GRAMIAN_OF_TYPE

} // namespace gramian::network
