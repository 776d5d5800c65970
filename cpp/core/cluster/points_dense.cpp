#include "core/cluster/points.hpp"
#include "core/distance/frame.hpp"
#include "core/distance/tile.hpp"
#include "core/runtime/pool.hpp"
#include "core/runtime/scratch.hpp"

#include <algorithm>
#include <limits>

namespace gramian::cluster {
namespace {

constexpr int kWidest = 16; // lanes of the widest panel

// Buffers of a thread.
float* panel_buffer(Index size) {
    thread_local runtime::ThreadBuffer<float> buffer;
    return buffer.of(static_cast<std::size_t>(size));
}
double* squares_buffer(Index size) {
    thread_local runtime::ThreadBuffer<double> buffer;
    return buffer.of(static_cast<std::size_t>(size));
}

// The rows packed once, to be read again for every set of candidates.
template <typename T>
class PackedRows final : public CandidateDistances {
public:
    PackedRows(Matrix<const T> X, const distance::Frame<T>& frame)
        : X_(X), frame_(frame), tile_(distance::tile_kernels()), panel_size_(tile_.width * X.cols),
          panels_(new float[(X.rows + tile_.width - 1) / tile_.width * panel_size_]) {
        const int width = tile_.width;
        const runtime::Blocks blocks{X.rows, 1024};
        runtime::parallel_for(
            blocks.count(),
            [&](Index b) {
                for (Index i = blocks.begin(b); i < blocks.end(b); i += width) {
                    const T* points[kWidest];
                    float norms[kWidest];
                    for (int lane = 0; lane < width; ++lane) {
                        points[lane] = X.row(std::min(i + lane, X.rows - 1));
                    }
                    distance::row_kernels<T>().pack_panel(points, X.cols, frame.shift.data(),
                                                          frame.scale, 1.0f, panel(i), norms);
                }
            },
            blocks.count() == 1 ? 1 : 0);
    }

    void set_candidates(const Index* rows, int n) override {
        n_ = n;
        candidates_.resize(static_cast<std::size_t>(n * X_.cols));
        std::vector<float> norms(static_cast<std::size_t>(n));
        for (int c = 0; c < n; ++c) {
            distance::row_kernels<T>().pack_rows(X_.row(rows[c]), 1, X_.cols, frame_.shift.data(),
                                                 frame_.scale, candidates_.data() + c * X_.cols,
                                                 norms.data());
        }
    }

    void nearer(Index begin, Index end, const float* closest, float* out,
                Index stride) const override {
        for (Index i = begin; i < end; i += tile_.width) {
            tile_.nearer(panel(i), X_.cols, candidates_.data(), n_, closest + (i - begin),
                         out + (i - begin), stride);
        }
    }

private:
    float* panel(Index row) const { return panels_.get() + row / tile_.width * panel_size_; }

    Matrix<const T> X_;
    const distance::Frame<T>& frame_;
    const distance::TileKernels& tile_;
    Index panel_size_;
    std::unique_ptr<float[]> panels_;
    int n_ = 0;
    std::vector<float> candidates_;
};

template <typename T>
class DensePoints final : public Points {
public:
    explicit DensePoints(Matrix<const T> X)
        : Points(X.rows, X.cols), X_(X), frame_(distance::frame_of(X)),
          origin_(frame_.shift.begin(), frame_.shift.end()), gamma_(distance::tile_gamma(X.cols)),
          kernels_(distance::row_kernels<T>()), tile_(distance::tile_kernels()) {}

    double scale() const override { return static_cast<double>(frame_.scale); }
    const double* origin() const override { return origin_.data(); }

    void set_centers(Matrix<const double> centers) override {
        k_ = centers.rows;
        centers_.assign(centers.data, centers.data + k_ * cols());
        packed_.resize(static_cast<std::size_t>(k_ * cols()));
        norms_.resize(static_cast<std::size_t>(k_));
        const double largest = distance::row_kernels<double>().pack_rows(
            centers_.data(), k_, cols(), origin_.data(), scale(), packed_.data(), norms_.data());
        radius_ = distance::round_up(std::sqrt(largest) * (1 + 1e-12));
    }

    void nearest(const Index* rows, Index n, const std::int32_t* labels, std::int32_t* index,
                 float* upper, float* lower) const override {
        const Index d = cols();
        const int width = tile_.width;
        float* panel = panel_buffer(width * d);
        for (Index first = 0; first < n; first += width) {
            const int filled = static_cast<int>(std::min<Index>(width, n - first));
            const T* points[kWidest];
            for (int lane = 0; lane < width; ++lane) {
                points[lane] = X_.row(rows[first + std::min(lane, filled - 1)]);
            }
            float norms[kWidest], up[kWidest], low[kWidest], best[kWidest], second[kWidest];
            std::int32_t which[kWidest];
            kernels_.pack_panel(points, d, frame_.shift.data(), frame_.scale, -2.0f, panel, norms);
            const unsigned doubtful =
                tile_.nearest_two({panel, norms, d}, {packed_.data(), norms_.data(), k_},
                                  {gamma_, radius_}, {which, up, low, best, second});
            for (int lane = 0; lane < filled; ++lane) {
                if (doubtful >> lane & 1 &&
                    !certain_with_own_norms(norms[lane], norms_[which[lane]], best[lane],
                                            second[lane])) {
                    decide_in_float64(points[lane], labels ? labels[rows[first + lane]] : -1,
                                      which[lane], up[lane], low[lane]);
                }
                index[first + lane] = which[lane];
                upper[first + lane] = up[lane];
                lower[first + lane] = low[lane];
            }
        }
    }

    void squared_to_assigned(const Index* rows, Index n, const std::int32_t* labels,
                             double* out) const override {
        kernels_.squared_to_assigned(X_.data, cols(), centers_.data(), rows, n, labels, out);
    }

    void squared_to_all(Index row, double* out) const override {
        kernels_.squared_to_all(X_.row(row), centers_.data(), k_, cols(), out);
    }

    void move(Index begin, Index end, const double* weights, std::int32_t* before,
              const std::int32_t* after, double* sums, double* totals,
              double* members) const override {
        kernels_.move(X_.data, begin, end, cols(), weights, before, after, {sums, totals, members});
    }

    std::unique_ptr<CandidateDistances> candidate_distances() const override {
        return std::make_unique<PackedRows<T>>(X_, frame_);
    }

    Scatter scatter(const double* weights) const override {
        const Index d = cols();
        const runtime::Blocks blocks{rows(), std::max<Index>(64, (1 << 18) / d)};
        std::vector<double> moments(static_cast<std::size_t>(blocks.count() * 2 * d), 0.0);
        std::vector<double> totals(static_cast<std::size_t>(blocks.count()));
        runtime::parallel_for(
            blocks.count(),
            [&](Index b) {
                const Index begin = blocks.begin(b), end = blocks.end(b);
                double* sum = moments.data() + b * 2 * d;
                totals[b] = kernels_.moments(X_.row(begin), end - begin, d, frame_.shift.data(),
                                             weights ? weights + begin : nullptr, sum, sum + d);
            },
            blocks.count() == 1 ? 1 : 0);
        Scatter result{0, 0};
        for (const double total : totals) result.total += total;
        for (Index t = 0; t < d; ++t) {
            double sum = 0, square = 0;
            for (Index b = 0; b < blocks.count(); ++b) {
                sum += moments[b * 2 * d + t];
                square += moments[b * 2 * d + d + t];
            }
            const double mean = sum / rows();
            result.mean_variance += std::max(0.0, square / rows() - mean * mean) / d;
        }
        return result;
    }

private:
    // The tile's test takes the largest norm of any centre. A centre farther from the origin than
    // |x| + |x - nearest| cannot be the nearest, so that sum may stand in for the largest norm.
    bool certain_with_own_norms(float x_square, float center_square, float best,
                                float second) const {
        const double x = std::sqrt(static_cast<double>(x_square)) * (1 + 1e-6);
        const double c = std::sqrt(static_cast<double>(center_square)) * (1 + 1e-6);
        const double gamma = gamma_;
        const double of_best = gamma * c * (c + 2 * x);
        const double square = best + x_square * (1 + gamma) + of_best;
        const double reach = x + std::sqrt(std::max(0.0, square)) * (1 + 1e-6);
        const double of_second = gamma * reach * (reach + 2 * x);
        return static_cast<double>(second) - best > (of_best + of_second) * (1 + 1e-6) + 0x1p-120;
    }

    void decide_in_float64(const T* x, std::int32_t keep, std::int32_t& index, float& upper,
                           float& lower) const {
        double* square = squares_buffer(k_);
        kernels_.squared_to_all(x, centers_.data(), k_, cols(), square);
        Index best = std::min_element(square, square + k_) - square;
        if (keep >= 0 && square[keep] <= square[best]) best = keep;
        double second = std::numeric_limits<double>::infinity();
        for (Index j = 0; j < k_; ++j) {
            if (j != best) second = std::min(second, square[j]);
        }
        index = static_cast<std::int32_t>(best);
        upper = distance::round_up(std::sqrt(square[best]) * scale() * (1 + 1e-9));
        lower = distance::round_down(std::sqrt(second) * scale() * (1 - 1e-9));
    }

    Matrix<const T> X_;
    distance::Frame<T> frame_;
    std::vector<double> origin_;
    float gamma_;
    const distance::RowKernels<T>& kernels_;
    const distance::TileKernels& tile_;

    Index k_ = 0;
    std::vector<double> centers_;
    std::vector<float> packed_, norms_;
    float radius_ = 0;
};

} // namespace

template <typename T>
std::unique_ptr<Points> dense_points(Matrix<const T> X) {
    return std::make_unique<DensePoints<T>>(X);
}

template std::unique_ptr<Points> dense_points(Matrix<const float>);
template std::unique_ptr<Points> dense_points(Matrix<const double>);

} // namespace gramian::cluster
