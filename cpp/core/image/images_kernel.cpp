#include "core/image/images.hpp"
#include "core/simd/register.hpp"

namespace gramian::image::GRAMIAN_ISA {
namespace {

using namespace simd;

template <typename T>
void gradients(const T* image, Index rows, Index cols, const Filter& filter, double* line,
               double* across, double* down) {
    const Index radius = filter.radius(), padded_cols = cols + 2 * radius;
    double* smooth = line;
    double* slope = line + padded_cols;
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < 2 * padded_cols; ++j) line[j] = 0;
        for (Index a = 0; a < filter.length; ++a) {
            Index from = i + a - radius;
            from = from < 0 ? 0 : (from >= rows ? rows - 1 : from);
            const T* source = image + from * cols;
            const double s = filter.smoothing[a], d = filter.derivative[a];
            if (s == 0 && d == 0) continue;
            for (Index j = 0; j < cols; ++j) {
                smooth[radius + j] += s * static_cast<double>(source[j]);
                slope[radius + j] += d * static_cast<double>(source[j]);
            }
        }
        for (Index j = 0; j < radius; ++j) { // the border is repeated
            smooth[j] = smooth[radius];
            slope[j] = slope[radius];
            smooth[radius + cols + j] = smooth[radius + cols - 1];
            slope[radius + cols + j] = slope[radius + cols - 1];
        }
        double* x = across + i * cols;
        double* y = down + i * cols;
        for (Index j = 0; j < cols; ++j) x[j] = y[j] = 0;
        for (Index b = 0; b < filter.length; ++b) {
            const double s = filter.smoothing[b], d = filter.derivative[b];
            if (d != 0) {
                for (Index j = 0; j < cols; ++j) x[j] += d * smooth[j + b];
            }
            if (s != 0) {
                for (Index j = 0; j < cols; ++j) y[j] += s * slope[j + b];
            }
        }
    }
}

// atan(z) / z over z^2 in [0, tan^2(pi / 8)], a polynomial in z^2 through Chebyshev's points: the
// error of atan is below 1e-15.
constexpr double kAtan[] = {1.0000000000000002,   -0.33333333333294674,  0.19999999986479675,
                            -0.14285713018650442, 0.11111056873805929,   -0.090896307826116768,
                            0.076742611069261307, -0.065088541365393354, 0.050301557886240328,
                            -0.025345761550124298};
constexpr double kPi = 3.14159265358979323846;
constexpr double kEighth = 0.41421356237309503; // tan(pi / 8)

void votes(Index n, double bins_per_turn, bool directed, double* across, double* down) {
    using Floats = Vec<double>;
    const Floats zero = broadcast(0.0), one = broadcast(1.0), half_turn = broadcast(kPi);
    const Floats scale = broadcast(bins_per_turn / (2 * kPi));
    for (Index i = 0; i < n; i += kLanes<double>) {
        const Floats x = load(across + i), y = load(down + i);
        const Floats horizontal = max(x, zero - x), vertical = max(y, zero - y);
        const Floats low = min(horizontal, vertical), high = max(horizontal, vertical);
        // atan(low / high), by pi / 4 + atan((low - high) / (low + high)) above tan(pi / 8)
        const auto turned = low > kEighth * high;
        const Floats above = turned ? low - high : low, below = turned ? low + high : high;
        const Floats z = above / (below > zero ? below : one);
        const Floats square = z * z;
        Floats sum = broadcast(kAtan[9]);
        for (int k = 8; k >= 0; --k) sum = sum * square + kAtan[k];
        Floats angle = z * sum + (turned ? broadcast(kPi / 4) : zero);
        angle = vertical > horizontal ? broadcast(kPi / 2) - angle : angle;
        angle = x < zero ? half_turn - angle : angle;
        const Floats back = directed ? 2 * half_turn - angle : half_turn - angle;
        angle = y < zero ? back : angle;
        store(across + i, sqrt(x * x + y * y));
        store(down + i, angle * scale);
    }
}

} // namespace

extern const ImageKernels image_kernels;
const ImageKernels image_kernels = {gradients<float>, gradients<double>, votes};

} // namespace gramian::image::GRAMIAN_ISA
