#include "core/passes/epoch.hpp"

#include "core/losses/margin.hpp"
#include "core/passes/row.hpp"

namespace gramian::passes::GRAMIAN_ISA {
namespace {

using namespace simd;

constexpr Index kAhead = 6;    // rows between the one visited and the one asked for
constexpr double kTiny = 1e-9; // scale below which v is multiplied out

constexpr double kSteepest = 1e12; // keeps steps that are far too long from overflow

using losses::Loss;
using LossAt = losses::Point<double>;

// The loss of a margin z with target y.
inline LossAt loss_at(Loss loss, double z, double y, double epsilon) {
    switch (loss) {
    case Loss::hinge:
        return losses::Hinge::at(z, y);
    case Loss::squared_hinge:
        return losses::SquaredHinge::at(z, y);
    case Loss::perceptron:
        return losses::Perceptron{epsilon}.at(z, y);
    case Loss::logistic:
        return losses::LogisticSigned::at(z, y);
    case Loss::modified_huber:
        return losses::ModifiedHuber::at(z, y);
    case Loss::huber:
        return losses::Huber{epsilon}.at(z, y);
    case Loss::epsilon_insensitive:
        return losses::EpsilonInsensitive{epsilon}.at(z, y);
    case Loss::squared_epsilon_insensitive:
        return losses::SquaredEpsilonInsensitive{epsilon}.at(z, y);
    case Loss::exponential:
        return losses::ExponentialSigned::at(z, y);
    case Loss::poisson:
        return losses::Poisson::at(z, y);
    default:
        return losses::Squared::at(z, y);
    }
}

inline double step_size(const Epoch& e, double norm, const LossAt& at) {
    const auto& [schedule, eta0, power, optimal_start] = e.rate;
    switch (schedule) {
    case Schedule::constant:
        return eta0;
    case Schedule::optimal:
        return 1.0 / (e.alpha * (optimal_start + *e.t - 1.0));
    case Schedule::invscaling:
        return power == 0.5 ? eta0 / __builtin_sqrt(*e.t) : eta0 / __builtin_pow(*e.t, power);
    case Schedule::pa1: {
        const double full = norm > 0 ? at.value / norm : eta0;
        return full < eta0 ? full : eta0;
    }
    case Schedule::pa2:
        return at.value / (norm + 0.5 / eta0);
    }
    return 0;
}

// Moves a weight towards 0, but not across it, by the l1 penalty that it has not received yet.
// Leaves the part of the average that depends on it through sum_scale unchanged.
inline void apply_l1(ScaledWeights& s, Index j, double total, double* applied) {
    const double w = s.scale * s.v[j];
    double shrunk = w;
    if (w > 0) {
        shrunk = w - (total + applied[j]);
        shrunk = shrunk > 0 ? shrunk : 0;
    } else if (w < 0) {
        shrunk = w + (total - applied[j]);
        shrunk = shrunk < 0 ? shrunk : 0;
    }
    applied[j] += shrunk - w;
    const double change = (shrunk - w) / s.scale;
    s.v[j] += change;
    if (s.u != nullptr) s.u[j] -= s.sum_scale * change;
}
template <typename T>
inline void apply_l1_to_row(const Matrix<const T>& X, Index i, ScaledWeights& s, double total,
                            double* applied) {
    for (Index j = 0; j < X.cols; ++j) {
        if (X(i, j) != T(0)) apply_l1(s, j, total, applied); // as if the row were sparse
    }
}
template <typename T, typename I>
inline void apply_l1_to_row(const Csr<const T, I>& X, Index i, ScaledWeights& s, double total,
                            double* applied) {
    for (I at = X.offsets[i]; at < X.offsets[i + 1]; ++at)
        apply_l1(s, X.columns[at], total, applied);
}

void multiply_out(ScaledWeights& s, Index cols) {
    for (Index j = 0; j < cols; ++j) {
        if (s.u != nullptr) s.u[j] += s.sum_scale * s.v[j];
        s.v[j] *= s.scale;
    }
    s.scale = 1;
    s.sum_scale = 0;
}

template <typename View>
void steps(const View& X, Epoch& e, ScaledWeights& s, Index begin, Index end) {
    const bool passive = e.rate.schedule == Schedule::pa1 || e.rate.schedule == Schedule::pa2;
    for (Index at = begin; at < end; ++at) {
        if (at + kAhead < e.n) prefetch_row(X, e.order[at + kAhead]);
        const Index i = e.order[at];
        const double z = s.scale * dot_row(X, i, s.v) + *e.b;
        const LossAt loss = loss_at(e.loss, z, e.y[i], e.epsilon);
        const double weight = e.weights == nullptr ? 1.0 : e.weights[i];
        e.loss_sum += weight * loss.value;
        const double eta = step_size(e, passive ? squared_norm(X, i) : 0.0, loss);

        double slope = loss.derivative;
        if (passive) { // a step of this size along the sign
            slope = slope < 0 ? -1.0 : slope > 0 ? 1.0 : 0.0;
        }
        slope = slope < -kSteepest ? -kSteepest : slope > kSteepest ? kSteepest : slope;
        const double change = -eta * weight * slope;

        if (!passive && e.alpha > 0) {
            const double shrink = 1.0 - (1.0 - e.l1_ratio) * eta * e.alpha;
            s.scale *= shrink > 0 ? shrink : 0.0;
            if (s.scale < kTiny) multiply_out(s, X.cols);
        }
        if (change != 0) {
            e.updates += 1;
            add_row(X, i, change / s.scale, s.v);
            // the sum over steps contains sum_scale * v: subtract the new part, which was not in it
            if (s.u != nullptr) add_row(X, i, -s.sum_scale * change / s.scale, s.u);
            if (e.intercept) *e.b += change;
        }
        if (e.l1_applied != nullptr && !passive) {
            *e.l1_total += e.l1_ratio * eta * e.alpha;
            apply_l1_to_row(X, i, s, *e.l1_total, e.l1_applied);
        }
        if (s.u != nullptr && *e.t >= e.sum_from) {
            s.sum_scale += s.scale;
            *e.sum_b += *e.b;
        }
        *e.t += 1;
    }
}

template <typename View>
constexpr EpochKernels::ForView<View> of() {
    return {steps<View>};
}

} // namespace

extern const EpochKernels epoch_kernels;
const EpochKernels epoch_kernels = {
    {of<F32>(), of<F64>(), of<CsrF32I32>(), of<CsrF32I64>(), of<CsrF64I32>(), of<CsrF64I64>()},
    multiply_out,
};

} // namespace gramian::passes::GRAMIAN_ISA
