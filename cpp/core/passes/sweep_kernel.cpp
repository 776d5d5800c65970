#include "core/passes/sweep.hpp"

#include "core/passes/row.hpp"

namespace gramian::passes::GRAMIAN_ISA {
namespace {

using namespace simd;

constexpr double kEnough = 0.2; // Newton squares a step of this size: the rest is below 1e-2
// Part of a step taken beyond it (successive over-relaxation: Young 1954).
constexpr double kBeyondBox = 0.3;       // saves about a sweep in five
constexpr double kBeyondLogistic = 0.15; // saves about a sweep in ten
constexpr double kFlat = 1e-300;         // curvature of a row of zeros: its step ends at a bound
constexpr Index kAhead = 6; // rows between the one visited and the one asked for from memory

inline double least(double a, double b) {
    return a < b ? a : b;
}
inline double most(double a, double b) {
    return a > b ? a : b;
}
inline double between(double low, double x, double high) {
    return least(most(x, low), high);
}

// The processor works at the next row's margin while it waits for this one's, as long as it need
// not guess: what follows has few branches, and those go the same way nearly always.

// beta <- the minimiser of (norm + ridge) b^2 / 2 + ... in its interval, a clipped and, with a
// tube, soft-thresholded Newton step, and somewhat beyond.
// `slope` is the derivative without the tube.
struct Box {
    static double step(const Coordinate& c, double slope, double epsilon) {
        const double curvature = most(c.norm + c.ridge, kFlat);
        const double pull = curvature * c.beta - slope; // minus the derivative at beta = 0
        const double thresholded = most(pull - epsilon, 0.0) + least(pull + epsilon, 0.0);
        const double next = between(c.lower, thresholded / curvature, c.upper);
        double beyond = between(c.lower, next + kBeyondBox * (next - c.beta), c.upper);
        if (epsilon > 0 && next * beyond <= 0) beyond = next; // the kink at 0 ends a step
        return beyond - c.beta;
    }

    // How far a row that moves is from its optimality conditions.
    static double violation(const Coordinate& c, double slope, double epsilon, double change) {
        return __builtin_fabs(slope + __builtin_copysign(epsilon, c.beta != 0 ? c.beta : change));
    }

    // By how much a row that rests on a bound, or on the kink at 0, satisfies them.
    static double slack(const Coordinate& c, double slope, double epsilon) {
        const double infinity = __builtin_inf();
        const double up = c.beta < c.upper ? slope + (c.beta < 0 ? -epsilon : epsilon) : infinity;
        const double down = c.beta > c.lower ? (c.beta > 0 ? -epsilon : epsilon) - slope : infinity;
        return least(up, down);
    }
};

// For alpha = y beta the optimum of the coordinate is the margin m' (of y z) that solves
//     m' = m + a (c s(-m') - alpha),   a = |x|^2,  s(t) = 1 / (1 + e^-t),
// after which alpha' = c s(-m'). The function h(m') = m' - m - a (c s(-m') - alpha) rises, is
// convex below 0 and concave above: Newton's steps, kept on the side of 0 where the root lies,
// come to it from one side after the first.
struct LogisticRow {
    // e^x for x <= 0 to 1e-14, by pairs (Estrin) so that little waits for little: a visit is one
    // chain of dependent steps, and this is its longest link. Below -700 it is e^-700.
    static double exp_of_negative(double x) {
        constexpr double shift = 0x1.8p52; // adding it rounds to an integer, kept in the low bits
        const double inside = most(x, -700.0);
        const double shifted = inside * 0x1.71547652b82fep0 + shift;
        const double k = shifted - shift;
        const double r = (inside - k * 0x1.62e42fefa38p-1) - k * 0x1.ef35793c7673p-45;
        const double r2 = r * r, r4 = r2 * r2;
        const double low = (1.0 + r) + r2 * (0.5 + r * (1.0 / 6));
        const double middle = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720 + r * (1.0 / 5040));
        const double high =
            (1.0 / 40320 + r * (1.0 / 362880)) + r2 * (1.0 / 3628800 + r * (1.0 / 39916800));
        std::int64_t bits;
        std::memcpy(&bits, &shifted, sizeof bits);
        bits = (bits << 52) + (std::int64_t(1023) << 52);
        double power;
        std::memcpy(&power, &bits, sizeof power);
        return (low + r4 * (middle + r4 * high)) * power;
    }

    static double sigmoid(double t) {
        const double u = exp_of_negative(-__builtin_fabs(t)); // at most 1
        return most(u, t > 0 ? 1.0 : 0.0) / (1.0 + u);
    }

    // Returns the new alpha; `off`: how far the old one was from c s(-m).
    static double solve(double m, double a, double c, double alpha, double& off) {
        double share = sigmoid(-m);
        off = c * share - alpha;
        const bool positive = m + a * (0.5 * c - alpha) > 0;
        double x = m;
        if ((m > 0) != positive) {
            x = 0;
            share = 0.5;
        }
        for (int turn = 0; turn < 20; ++turn) {
            const double h = x - m - a * (c * share - alpha);
            double next = x - h / (1.0 + a * c * share * (1.0 - share));
            if ((next > 0) != positive) next = 0;
            const double change = next - x;
            x = next;
            if (change < kEnough && change > -kEnough) {
                const double linear = alpha + (x - m) / a;
                if (a > 0 && linear > 0 && linear < c) return linear;
                break;
            }
            share = sigmoid(-x);
        }
        return c * sigmoid(-x);
    }
};

template <typename View>
GRAMIAN_ASK void prefetch_ahead(const View& X, const Sweep& s, const std::int32_t* order,
                                Index known) {
    if (known <= kAhead) return;
    __builtin_prefetch(s.coordinates + order[kAhead]);
    prefetch_row(X, order[kAhead]);
}

template <typename View>
inline double margin(const View& X, const Sweep& s, Index i) {
    return dot_row(X, i, s.w) + s.ones * s.w[X.cols] + s.offset;
}

template <typename View>
inline void move(const View& X, Sweep& s, Index i, double change) {
    add_row(X, i, change, s.w);
    s.w[X.cols] += change * s.ones;
    s.coordinates[i].beta += change;
}

template <typename View>
void box_visits(const View& X, Sweep& s, std::int32_t* order, Index visits, Index known) {
    for (Index at = 0; at < visits; ++at) {
        const Index i = order[at];
        prefetch_ahead(X, s, order + at, known - at);
        const Coordinate& c = s.coordinates[i];
        const double slope = margin(X, s, i) - c.target + c.ridge * c.beta;
        const double change = Box::step(c, slope, s.epsilon);
        if (change == 0) {
            if (Box::slack(c, slope, s.epsilon) > s.bound) order[at] = -1;
            continue;
        }
        s.largest = most(s.largest, Box::violation(c, slope, s.epsilon, change));
        s.total += change * change * c.norm;
        move(X, s, i, change);
    }
}

template <typename View>
void logistic_visits(const View& X, Sweep& s, std::int32_t* order, Index visits, Index known) {
    for (Index at = 0; at < visits; ++at) {
        const Index i = order[at];
        prefetch_ahead(X, s, order + at, known - at);
        const Coordinate& c = s.coordinates[i];
        const double y = c.target, alpha = y * c.beta;
        double off;
        double next = LogisticRow::solve(y * margin(X, s, i), c.norm, c.upper, alpha, off);
        const double beyond = next + kBeyondLogistic * (next - alpha);
        if (beyond > 0 && beyond < c.upper) next = beyond;
        s.largest = most(s.largest, __builtin_fabs(off));
        s.total += off * off * c.norm;
        if (next != alpha) move(X, s, i, y * (next - alpha));
    }
}

template <typename View>
void norms(const View& X, double* out) {
    for (Index i = 0; i < X.rows; ++i) out[i] = squared_norm(X, i);
}

template <typename View>
constexpr SweepKernels::Of<View> of() {
    return {box_visits<View>, logistic_visits<View>, norms<View>};
}

} // namespace

extern const SweepKernels sweep_kernels;
const SweepKernels sweep_kernels = {
    {of<F32>(), of<F64>(), of<CsrF32I32>(), of<CsrF32I64>(), of<CsrF64I32>(), of<CsrF64I64>()},
};

} // namespace gramian::passes::GRAMIAN_ISA
