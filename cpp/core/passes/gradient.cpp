#include "core/passes/gradient.hpp"

#include "core/passes/gram.hpp"
#include "core/passes/rows.hpp"
#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

GRAMIAN_DISPATCH(passes, PassKernels, pass_kernels, pass_table)
GRAMIAN_DISPATCH(passes, SingleSoftmaxKernels, single_softmax, single_softmax_table)

namespace gramian::passes {

const PassKernels& pass_kernels() {
    return pass_table();
}

namespace {

constexpr Index kCacheValues = 1 << 15; // values of X in a block that stays in the L2 cache
constexpr Index kMostRows = 512;        // rows of a block at most, for buffers of fixed size
constexpr Index kChunkWork = 1 << 18;   // multiplications of a chunk: tenths of a millisecond
constexpr Index kSerialWork = 1 << 20;  // a shorter pass ends before a sleeping thread wakes
constexpr Index kPartialBytes = 8 << 20;

template <typename View>
const PassKernels::ForView<View>& kernels_for() {
    return pass_table().views.of<View>();
}

// Stored values of an average row, at least 1.
template <typename T>
Index values_per_row(const Matrix<T>& X) {
    return std::max<Index>(X.cols, 1);
}
template <typename T, typename I>
Index values_per_row(const Csr<T, I>& X) {
    return X.rows == 0 ? 1 : (X.offsets[X.rows] - X.offsets[0]) / X.rows + 1;
}

Vector<const double> part_of(Vector<const double> v, Index begin, Index end) {
    return v.size == 0 ? Vector<const double>{nullptr, 0}
                       : Vector<const double>{v.data + begin, end - begin};
}

// The chunks of a pass, which depend only on the shape of the data. Each is enough work for a
// thread and worth the cost of adding its sums.
struct Plan {
    runtime::Blocks chunks;
    Index block;
    int threads;
};

template <typename View>
Plan plan_for(const View& X, Index work_per_row, Index sums) {
    const Index enough = std::max(kChunkWork, 8 * sums); // a sum costs a few memory accesses
    const Index block = std::clamp<Index>(kCacheValues / values_per_row(X), 8, kMostRows) & ~7;
    const Index rows = (std::max(enough / work_per_row, block) + block - 1) / block * block;
    const runtime::Blocks chunks{X.rows, rows};
    return {chunks, block, X.rows * work_per_row < kSerialWork ? 1 : 0};
}

// total = sum over the chunks, in their order, of what body(chunk, partial) adds to zeros. The
// partial sums of a limited number of chunks are alive at once.
template <typename Body>
void ordered_sum(Index n_chunks, int threads, std::vector<double>& total, const Body& body) {
    const Index size = static_cast<Index>(total.size());
    const Index bytes = size * static_cast<Index>(sizeof(double));
    const Index wave = std::min(n_chunks, std::clamp<Index>(kPartialBytes / bytes, 8, 256));
    const std::unique_ptr<double[]> partials(new double[static_cast<std::size_t>(wave * size)]);
    std::fill(total.begin(), total.end(), 0.0);
    for (Index first = 0; first < n_chunks; first += wave) {
        const Index here = std::min(wave, n_chunks - first);
        runtime::parallel_for(
            here,
            [&](Index slot) {
                double* partial = partials.get() + slot * size;
                std::fill(partial, partial + size, 0.0);
                body(first + slot, partial);
            },
            threads);
        for (Index slot = 0; slot < here; ++slot) {
            const double* partial = partials.get() + slot * size;
            for (Index i = 0; i < size; ++i) total[static_cast<std::size_t>(i)] += partial[i];
        }
    }
}

template <typename Body>
void for_blocks(const Plan& plan, Index chunk, const Body& body) {
    const Index end = plan.chunks.end(chunk);
    for (Index row = plan.chunks.begin(chunk); row < end; row += plan.block) {
        body(row, std::min(row + plan.block, end));
    }
}

// Adds rows of weights root_i^2, with a column of ones, to a Gram matrix.
template <typename T>
void add_to_gram(const Matrix<const T>& X, const double* root, GramBlock<double>& sum) {
    for (Index i = 0; i < X.rows; i += kPackRows) {
        const Index rows = std::min(kPackRows, X.rows - i);
        sum.add(rows_of(X, i, i + rows), Matrix<const double>{nullptr, rows, 0}, nullptr, root + i);
    }
}

// Sparse rows are spread out a piece at a time.
template <typename T, typename I>
void add_to_gram(const Csr<const T, I>& X, const double* root, GramBlock<double>& sum) {
    std::vector<double> dense(static_cast<std::size_t>(std::min(kPackRows, X.rows) * X.cols));
    for (Index first = 0; first < X.rows; first += kPackRows) {
        const Index rows = std::min(kPackRows, X.rows - first);
        std::fill(dense.begin(), dense.end(), 0.0);
        for (Index i = 0; i < rows; ++i) {
            for (I at = X.offsets[first + i]; at < X.offsets[first + i + 1]; ++at) {
                dense[static_cast<std::size_t>(i * X.cols + X.columns[at])] +=
                    static_cast<double>(X.values[at]);
            }
        }
        add_to_gram(Matrix<const double>{dense.data(), rows, X.cols}, root + first, sum);
    }
}

// Four independent sums, so that the additions overlap.
double sum_of(const double* values, Index n) {
    double part[4] = {};
    Index i = 0;
    for (; i + 4 <= n; i += 4) {
        for (int u = 0; u < 4; ++u) part[u] += values[i + u];
    }
    for (; i < n; ++i) part[0] += values[i];
    return (part[0] + part[1]) + (part[2] + part[3]);
}

// The sums of one chunk lie one after the other: value, gradient, Gram matrix.
template <typename View>
double run_pass(Loss loss, const View& X, const Targets& targets, Vector<const double> coef,
                Vector<double> gradient, Vector<double> curvature, Matrix<double> gram) {
    const PassKernels::LossBlock loss_block = pass_table().losses[static_cast<int>(loss)];
    const auto& kernels = kernels_for<View>();
    const Index d = X.cols, p = coef.size;
    const bool ones = p > d;
    const double intercept = ones ? coef[d] : 0.0;
    const bool with_gram = gram.rows > 0;
    const Index side = with_gram ? d + 1 : 0;
    const Index gradient_work = 2 * values_per_row(X) + 30; // 30: the loss of one margin
    // Gram matrices larger than a cache go through memory several times: block, chunk, total
    const Plan plan = plan_for(X, gradient_work + side * side / 4, 1 + p + 8 * side * side);

    std::vector<double> total(static_cast<std::size_t>(1 + p + side * side));
    ordered_sum(plan.chunks.count(), plan.threads, total, [&](Index chunk, double* partial) {
        double z[kMostRows], h[kMostRows];
        GramBlock<double> gram_sum(side);
        double* g = partial + 1;
        for_blocks(plan, chunk, [&](Index begin, Index end) {
            const View rows = rows_of(X, begin, end);
            const Index n = end - begin;
            double* h_out = with_gram ? h : curvature.size > 0 ? curvature.data + begin : nullptr;
            kernels.margins(rows, coef.data, intercept, z);
            partial[0] += loss_block(n, z, part_of(targets.y, begin, end).data,
                                     part_of(targets.weights, begin, end).data, h_out);
            kernels.add_rows(rows, z, g);
            if (ones) g[d] += sum_of(z, n);
            if (with_gram) {
                for (Index i = 0; i < n; ++i) h[i] = std::sqrt(h[i]);
                add_to_gram(rows, h, gram_sum);
            }
        });
        if (with_gram) gram_sum.flush({g + p, side, side});
    });
    std::copy_n(total.begin() + 1, p, gradient.data);
    const double* upper = total.data() + 1 + p;
    for (Index i = 0; i < gram.rows; ++i) {
        for (Index j = i; j < gram.rows; ++j) gram(i, j) = gram(j, i) = upper[i * side + j];
    }
    return total[0];
}

// W = coef with d + 1 rows, padded to K columns: the intercepts of the padding classes are minus
// infinity, which gives them probability 0.
template <typename Real>
std::vector<Real> filled_up(const Matrix<const double>& coef, Index d, Index K) {
    std::vector<Real> W(static_cast<std::size_t>((d + 1) * K), Real(0));
    std::fill(W.end() - (K - coef.cols), W.end(), -std::numeric_limits<Real>::infinity());
    for (Index j = 0; j < coef.rows; ++j) {
        std::transform(coef.row(j), coef.row(j) + coef.cols, W.data() + j * K,
                       [](double w) { return static_cast<Real>(w); });
    }
    return W;
}

} // namespace

template <typename View>
void margins(const View& X, Vector<const double> coef, Vector<double> z) {
    const auto& kernels = kernels_for<View>();
    const double intercept = coef.size > X.cols ? coef[X.cols] : 0.0;
    const Plan plan = plan_for(X, values_per_row(X), 0);
    runtime::parallel_for(
        plan.chunks.count(),
        [&](Index chunk) {
            const Index begin = plan.chunks.begin(chunk), end = plan.chunks.end(chunk);
            kernels.margins(rows_of(X, begin, end), coef.data, intercept, z.data + begin);
        },
        plan.threads);
}

template <typename View>
double loss_gradient(Loss loss, const View& X, Targets targets, Vector<const double> coef,
                     Vector<double> gradient, Vector<double> curvature) {
    return run_pass(loss, X, targets, coef, gradient, curvature, Matrix<double>{nullptr, 0, 0});
}

template <typename View>
double loss_newton(Loss loss, const View& X, Targets targets, Vector<const double> coef,
                   Vector<double> gradient, Matrix<double> gram) {
    return run_pass(loss, X, targets, coef, gradient, Vector<double>{nullptr, 0}, gram);
}

template <typename View>
double softmax_gradient(const View& X, ClassTargets targets, Matrix<const double> coef,
                        Matrix<double> gradient) {
    const PassKernels& table = pass_table();
    const auto& kernels = kernels_for<View>();
    const Index d = X.cols, p = coef.rows, classes = coef.cols;
    const Index K = (classes + table.lanes - 1) / table.lanes * table.lanes;

    const std::vector<double> W = filled_up<double>(coef, d, K);
    const double* b = W.data() + d * K;
    const Index sums = 1 + (d + 1) * K;
    Plan plan = plan_for(X, (2 * values_per_row(X) + 30) * K / 4 + 30, sums);
    plan.block = std::clamp<Index>(kCacheValues / std::max(K, values_per_row(X)), 8, 128) & ~7;

    std::vector<double> total(static_cast<std::size_t>(sums));
    ordered_sum(plan.chunks.count(), plan.threads, total, [&](Index chunk, double* partial) {
        const std::unique_ptr<double[]> Z(new double[static_cast<std::size_t>(plan.block * K)]);
        double* G = partial + 1;
        for_blocks(plan, chunk, [&](Index begin, Index end) {
            const View rows = rows_of(X, begin, end);
            kernels.many_margins(rows, W.data(), b, K, Z.get());
            const std::int32_t* codes =
                targets.codes.size > 0 ? targets.codes.data + begin : nullptr;
            const double* proportions =
                targets.codes.size > 0 ? nullptr : targets.proportions.data + begin * classes;
            partial[0] += table.softmax(end - begin, classes, K, Z.get(), codes, proportions,
                                        part_of(targets.weights, begin, end).data);
            kernels.add_many(rows, Z.get(), K, G);
            for (Index i = 0; i < end - begin; ++i) {
                for (Index k = 0; k < K; ++k)
                    G[d * K + k] += Z[static_cast<std::size_t>(i * K + k)];
            }
        });
    });
    for (Index j = 0; j < p; ++j) std::copy_n(total.data() + 1 + j * K, classes, gradient.row(j));
    return total[0];
}

template <typename T>
double softmax_gradient_single(const Matrix<const T>& X, ClassTargets targets,
                               Matrix<const double> coef, Matrix<double> gradient) {
    const SingleSoftmaxKernels& table = single_softmax_table();
    const Index d = X.cols, classes = coef.cols;
    const Index K = (classes + table.lanes - 1) / table.lanes * table.lanes;
    const std::vector<float> W = filled_up<float>(coef, d, K);
    const Index sums = 1 + classes * (d + 1);
    Plan plan = plan_for(X, (2 * values_per_row(X) + 30) * K / 8 + 30, sums);
    plan.block = std::clamp<Index>(kCacheValues / std::max(K, values_per_row(X)), 8, 128) & ~7;

    std::vector<double> total(static_cast<std::size_t>(sums));
    ordered_sum(plan.chunks.count(), plan.threads, total, [&](Index chunk, double* partial) {
        const Index widest = (d + table.lanes - 1) / table.lanes * table.lanes;
        const std::unique_ptr<float[]> work(
            new float[static_cast<std::size_t>(plan.block * (K + classes + widest))]);
        for_blocks(plan, chunk, [&](Index begin, Index end) {
            const bool sure = targets.codes.size > 0;
            const std::int32_t* codes = sure ? targets.codes.data + begin : nullptr;
            const double* proportions = sure ? nullptr : targets.proportions.data + begin * classes;
            const double* weights = part_of(targets.weights, begin, end).data;
            const auto pass = [&](auto kernel) {
                return kernel(rows_of(X, begin, end),
                              SoftmaxCoef{W.data(), W.data() + d * K, classes, K}, codes,
                              proportions, weights, work.get(), partial + 1);
            };
            if constexpr (std::is_same_v<T, float>) {
                partial[0] += pass(table.f32);
            } else {
                partial[0] += pass(table.f64);
            }
        });
    });
    const double* g = total.data() + 1;
    for (Index j = 0; j < coef.rows; ++j) {
        for (Index k = 0; k < classes; ++k) gradient(j, k) = g[k * (d + 1) + j];
    }
    return total[0];
}

template double softmax_gradient_single(const F32&, ClassTargets, Matrix<const double>,
                                        Matrix<double>);
template double softmax_gradient_single(const F64&, ClassTargets, Matrix<const double>,
                                        Matrix<double>);

#define GRAMIAN_VIEW(View)                                                                         \
    template void margins(const View&, Vector<const double>, Vector<double>);                      \
    template double loss_gradient(Loss, const View&, Targets, Vector<const double>,                \
                                  Vector<double>, Vector<double>);                                 \
    template double loss_newton(Loss, const View&, Targets, Vector<const double>, Vector<double>,  \
                                Matrix<double>);                                                   \
    template double softmax_gradient(const View&, ClassTargets, Matrix<const double>,              \
                                     Matrix<double>);
GRAMIAN_FOR_VIEWS(GRAMIAN_VIEW)
#undef GRAMIAN_VIEW

} // namespace gramian::passes
