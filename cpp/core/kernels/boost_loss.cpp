#include "core/boost_loss.hpp"

#include "core/kernels/functions.hpp"

namespace gramian::GRAMIAN_ISA {
namespace {

typedef float Half __attribute__((vector_size(kRegisterBytes / 2)));

struct Slopes {
    Double gradient, hessian;
};

inline Slopes slopes(BoostLoss loss, Double q, Double y, Double z) {
    const Double one = broadcast(1.0);
    switch (loss) {
    case BoostLoss::absolute:
        return {z >= y ? one : -one, one};
    case BoostLoss::quantile:
        return {z >= y ? 1.0 - q : -q, one};
    case BoostLoss::poisson: {
        const Double mean = exp(z);
        return {mean - y, mean};
    }
    case BoostLoss::gamma: {
        const Double ratio = y * exp(-z);
        return {1.0 - ratio, ratio};
    }
    case BoostLoss::logistic: {
        const Double e = exp(-abs(z)); // p and 1 - p without cancellation
        const Double large = 1.0 / (1.0 + e), small = e * large;
        const Double p = z >= 0.0 ? large : small;
        return {p - y, large * small};
    }
    case BoostLoss::exponential: {
        const Double up = (1.0 - y) * exp(z), down = y * exp(-z);
        return {up - down, up + down};
    }
    default:
        return {z - y, one};
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

void store_slopes(const Slopes& s, const double* weights, Index left, float* gradient,
                  float* hessian) {
    const Double w = weights ? load_some(weights, left) : broadcast(1.0);
    store_narrow(gradient, s.gradient * w, left);
    if (hessian) store_narrow(hessian, s.hessian * w, left);
}

void softmax(const double* y, const double* weights, const double* z, Index n, Index classes,
             Index stride, float* gradient, float* hessian) {
    constexpr int lanes = kLanes<double>;
    constexpr Index kept = 64; // exponentials of so many classes are kept, others found again
    Double powers[kept];
    for (Index i = 0; i < n; i += lanes) {
        const Index left = n - i;
        const Double label = load_some(y + i, left);
        Double top = load_some(z + i, left);
        for (Index k = 1; k < classes; ++k) top = max(top, load_some(z + k * stride + i, left));
        const auto power = [&](Index k) { return exp(load_some(z + k * stride + i, left) - top); };
        Double total{};
        for (Index k = 0; k < classes; ++k) {
            const Double e = power(k);
            if (k < kept) powers[k] = e;
            total += e;
        }
        const Double scale = 1.0 / total;
        for (Index k = 0; k < classes; ++k) {
            const Double p = (k < kept ? powers[k] : power(k)) * scale;
            const Double own = label == static_cast<double>(k) ? broadcast(1.0) : Double{};
            store_slopes({p - own, p * (1.0 - p)}, weights ? weights + i : nullptr, left,
                         gradient + k * stride + i, hessian + k * stride + i);
        }
    }
}

void gradients(BoostLoss loss, double q, const double* y, const double* weights, const double* z,
               Index n, Index classes, Index stride, float* gradient, float* hessian) {
    if (loss == BoostLoss::softmax) {
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

extern const BoostLossKernels boost_loss_kernels;
const BoostLossKernels boost_loss_kernels = {gradients};

} // namespace gramian::GRAMIAN_ISA
