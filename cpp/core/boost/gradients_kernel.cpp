#include "core/boost/gradients.hpp"

#include "core/losses/margin.hpp"
#include "core/simd/functions_single.hpp"

namespace gramian::boost::GRAMIAN_ISA {
namespace {

using namespace simd;

typedef float Half __attribute__((vector_size(kRegisterBytes / 2)));

using Slopes = losses::Point<Double>;

inline Slopes slopes(Loss loss, Double q, Double y, Double z) {
    switch (loss) {
    case Loss::absolute:
        return losses::Absolute::at(z, y);
    case Loss::quantile:
        return losses::Quantile<Double>{q}.at(z, y);
    case Loss::poisson:
        return losses::Poisson::at(z, y);
    case Loss::gamma:
        return losses::Gamma::at(z, y);
    case Loss::logistic:
        return losses::Logistic::at(z, y);
    case Loss::exponential:
        return losses::Exponential::at(z, y);
    default:
        return losses::Squared::at(z, y);
    }
}

inline void store_narrow(float* p, Double v, Index n) {
    const Half half = __builtin_convertvector(v, Half);
    if (n >= kLanes<double>) {
        std::memcpy(p, &half, sizeof half);
    } else {
        for (Index i = 0; i < n; ++i) p[i] = half[i];
    }
}

inline Double load_some(const double* p, Index n) {
    if (n >= kLanes<double>) return load(p);
    Double v{};
    for (Index i = 0; i < n; ++i) v[i] = p[i];
    return v;
}

// A register of floats from as many doubles.
inline Float narrow(const double* p) {
    constexpr double zeros[kLanes<float>] = {};
    return load_shifted(p, zeros, 1.0);
}

inline void store_some(float* p, Float v, Index n) {
    if (n == kLanes<float>) {
        store(p, v);
    } else {
        for (Index i = 0; i < n; ++i) p[i] = v[i];
    }
}

inline void store_slopes(const Slopes& s, const double* weights, Index left, float* gradient,
                         float* hessian) {
    const Double w = weights ? load_some(weights, left) : broadcast(1.0);
    store_narrow(gradient, s.derivative * w, left);
    if (hessian) store_narrow(hessian, s.curvature * w, left);
}

// With e_k = exp(z_k - max z) the sum of all but the largest, `rest`, is kept apart from that one,
// which is 1: then 1 - p_k, too, is right to the digits of a float, however sure a class is.
void softmax(const double* y, const double* weights, const double* z, Index n, Index classes,
             Index stride, float* gradient, float* hessian) {
    constexpr int lanes = kLanes<float>;
    constexpr Index kept = 64; // exponentials of so many classes are kept, others found again
    Float powers[kept];
    for (Index i = 0; i < n; i += lanes) {
        const Index left = n - i < lanes ? n - i : lanes;
        double padded[lanes] = {};
        const auto values = [&](const double* p) -> const double* {
            if (left == lanes) return p;
            std::memcpy(padded, p, left * sizeof(double));
            return padded;
        };
        constexpr int half = kLanes<double>;
        const double* first = values(z + i);
        Double low = load(first), high = load(first + half);
        for (Index k = 1; k < classes; ++k) {
            const double* score = values(z + k * stride + i);
            low = max(low, load(score));
            high = max(high, load(score + half));
        }
        double top[lanes];
        store(top, low);
        store(top + half, high);
        const auto power = [&](Index k) {
            return exp_of_negative(load_shifted(values(z + k * stride + i), top, 1.0));
        };
        // The first class with e = 1 is the largest; `ahead` is set from there on.
        Float rest{};
        Vec<std::int32_t> ahead{};
        for (Index k = 0; k < classes; ++k) {
            const Float e = power(k);
            if (k < kept) powers[k] = e;
            const Vec<std::int32_t> largest = (e == 1.0F) & ~ahead;
            rest += largest ? Float{} : e;
            ahead |= largest;
        }
        const Float total = 1.0F + rest, scale = 1.0F / total;
        const Float label = narrow(values(y + i));
        const Float weight = weights ? narrow(values(weights + i)) : broadcast(1.0F);
        ahead = Vec<std::int32_t>{};
        for (Index k = 0; k < classes; ++k) {
            const Float e = k < kept ? powers[k] : power(k);
            const Vec<std::int32_t> largest = (e == 1.0F) & ~ahead;
            ahead |= largest;
            const Float p = e * scale, others = (largest ? rest : total - e) * scale;
            const Float slope = label == static_cast<float>(k) ? -others : p;
            store_some(gradient + k * stride + i, slope * weight, left);
            store_some(hessian + k * stride + i, p * others * weight, left);
        }
    }
}

void gradients(Loss loss, double q, const double* y, const double* weights, const double* z,
               Index n, Index classes, Index stride, float* gradient, float* hessian) {
    if (loss == Loss::softmax) {
        softmax(y, weights, z, n, classes, stride, gradient, hessian);
        return;
    }
    constexpr int lanes = kLanes<double>;
    const Double level = broadcast(q);
    for (Index i = 0; i < n; i += lanes) {
        const Index left = n - i;
        const Slopes s = slopes(loss, level, load_some(y + i, left), load_some(z + i, left));
        store_slopes(s, weights ? weights + i : nullptr, left, gradient + i,
                     hessian ? hessian + i : nullptr);
    }
}

} // namespace

extern const GradientKernels boost_loss_kernels;
const GradientKernels boost_loss_kernels = {gradients};

} // namespace gramian::boost::GRAMIAN_ISA
