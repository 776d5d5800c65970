#include "core/boost/gradients.hpp"

#include "core/losses/margin.hpp"
#include "core/losses/softmax_single.hpp"

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

inline void store_slopes(const Slopes& s, const double* weights, Index left, float* gradient,
                         float* hessian) {
    const Double w = weights ? load_some(weights, left) : broadcast(1.0);
    store_narrow(gradient, s.derivative * w, left);
    if (hessian) store_narrow(hessian, s.curvature * w, left);
}

void gradients(Loss loss, double q, const losses::ScoreBlock& block) {
    if (loss == Loss::softmax) return losses::softmax_slopes(block);
    constexpr int lanes = kLanes<double>;
    const Double level = broadcast(q);
    for (Index i = 0; i < block.n; i += lanes) {
        const Index left = block.n - i;
        const Slopes s =
            slopes(loss, level, load_some(block.y + i, left), load_some(block.z + i, left));
        store_slopes(s, block.weights ? block.weights + i : nullptr, left, block.gradient + i,
                     block.hessian ? block.hessian + i : nullptr);
    }
}

} // namespace

extern const GradientKernels boost_loss_kernels;
const GradientKernels boost_loss_kernels = {gradients};

} // namespace gramian::boost::GRAMIAN_ISA
