#include "core/passes/gram.hpp"

#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

GRAMIAN_DISPATCH(passes, GramKernels, gram_kernels, gram_table)

namespace gramian::passes {
namespace {

constexpr Index kSlotBytes = 32 << 20; // sums of blocks that wait to be added in order
constexpr double kSerialFlops = 2e6;   // below this, threads cost more than they save

void pack(const float* x, Index rows, Index cols, const float* shift, const double* root,
          Index first, float* panels) {
    gram_table().pack_ff(x, rows, cols, shift, root, first, panels);
}
void pack(const float* x, Index rows, Index cols, const double* shift, const double* root,
          Index first, double* panels) {
    gram_table().pack_fd(x, rows, cols, shift, root, first, panels);
}
void pack(const double* x, Index rows, Index cols, const double* shift, const double* root,
          Index first, double* panels) {
    gram_table().pack_dd(x, rows, cols, shift, root, first, panels);
}
void pack(const double* x, Index rows, Index cols, const float* shift, const double* root,
          Index first, float* panels) {
    gram_table().pack_df(x, rows, cols, shift, root, first, panels);
}
void syrk(const float* panels, Index rows, Index n_panels, double* out) {
    gram_table().syrk_f(panels, rows, n_panels, out);
}
void syrk(const double* panels, Index rows, Index n_panels, double* out) {
    gram_table().syrk_d(panels, rows, n_panels, out);
}

void mirror(Matrix<double> G) {
    for (Index i = 0; i < G.rows; ++i) {
        for (Index j = 0; j < i; ++j) G(i, j) = G(j, i);
    }
}

template <typename A, typename T>
void gram_in(Matrix<const T> X, Matrix<const double> Y, const double* w, const double* shift,
             Matrix<double> G) {
    const runtime::Blocks blocks{X.rows, kGramRows};
    const Index q = G.rows;
    const Index n_blocks = blocks.count();
    const Index slots = std::clamp<Index>(kSlotBytes / (q * q * 8), 8, 64);
    std::vector<GramBlock<A>> sums(static_cast<std::size_t>(std::min(slots, n_blocks)),
                                   GramBlock<A>(q));
    const double flops =
        static_cast<double>(X.rows) * static_cast<double>(q) * static_cast<double>(q);
    for (Index wave = 0; wave < n_blocks; wave += slots) {
        const Index count = std::min(slots, n_blocks - wave);
        runtime::parallel_for(
            count,
            [&](Index slot) {
                double root[kPackRows];
                const Index end = blocks.end(wave + slot);
                for (Index i = blocks.begin(wave + slot); i < end; i += kPackRows) {
                    const Index rows = std::min(kPackRows, end - i);
                    if (w) {
                        for (Index k = 0; k < rows; ++k) root[k] = std::sqrt(w[i + k]);
                    }
                    sums[static_cast<std::size_t>(slot)].add(
                        Matrix<const T>{X.row(i), rows, X.cols},
                        Matrix<const double>{Y.row(i), rows, Y.cols}, shift, w ? root : nullptr);
                }
            },
            flops < kSerialFlops ? 1 : 0);
        for (Index slot = 0; slot < count; ++slot) sums[static_cast<std::size_t>(slot)].flush(G);
    }
    mirror(G);
}

} // namespace

template <typename A>
GramBlock<A>::GramBlock(Index columns)
    : columns_(columns), n_panels_((columns + kPanel<A> - 1) / kPanel<A>),
      panels_(static_cast<std::size_t>(n_panels_ * kPanel<A> * kPackRows)),
      shift_(static_cast<std::size_t>(columns)),
      sum_(static_cast<std::size_t>(n_panels_ * n_panels_ * kPanel<A> * kPanel<A>)) {}

template <typename A>
template <typename T>
void GramBlock<A>::add(Matrix<const T> x, Matrix<const double> y, const double* shift,
                       const double* root) {
    double ones[kPackRows];
    std::fill(ones, ones + x.rows, 1.0);
    if (shift) std::copy(shift, shift + x.cols + y.cols, shift_.begin());
    const A* s = shift_.data();
    pack(x.data, x.rows, x.cols, s, root, 0, panels_.data());
    pack(y.data, y.rows, y.cols, s + x.cols, root, x.cols, panels_.data());
    pack(ones, x.rows, 1, s + x.cols + y.cols, root, x.cols + y.cols, panels_.data());
    syrk(panels_.data(), x.rows, n_panels_, sum_.data());
}

template <typename A>
void GramBlock<A>::flush(Matrix<double> G) {
    const Index row_length = n_panels_ * kPanel<A>;
    for (Index i = 0; i < columns_; ++i) {
        const double* row = sum_.data() + i * row_length;
        for (Index j = i; j < columns_; ++j) G(i, j) += row[j];
    }
    std::fill(sum_.begin(), sum_.end(), 0.0);
}

template <typename T>
void gram(Matrix<const T> X, Matrix<const double> Y, const double* w, const double* shift,
          bool in_double, Matrix<double> G) {
    if constexpr (std::is_same_v<T, float>) {
        if (!in_double) return gram_in<float>(X, Y, w, shift, G);
    }
    gram_in<double>(X, Y, w, shift, G);
}

// Each thread owns a range of rows of G and adds the rows of X to it in order, so no sums need
// merging.
template <typename T, typename I>
void gram(Csr<const T, I> X, Matrix<const double> Y, const double* w, const double* shift,
          Matrix<double> G) {
    const Index d = X.cols, m = Y.cols;
    const runtime::Blocks stripes{d, std::max<Index>(32, (d + 15) / 16)};
    const Index non_zeros = static_cast<Index>(X.offsets[X.rows] - X.offsets[0]);
    const auto stripe_of_columns = [&](Index stripe) {
        const Index begin = stripes.begin(stripe), end = stripes.end(stripe);
        for (Index i = 0; i < X.rows; ++i) {
            const double weight = w ? w[i] : 1.0;
            const I* last = X.columns + X.offsets[i + 1];
            const I* at = std::lower_bound(X.columns + X.offsets[i], last, static_cast<I>(begin));
            for (; at != last && *at < end; ++at) {
                double* row = G.row(*at);
                const double x = weight * static_cast<double>(X.values[at - X.columns]);
                for (const I* b = at; b != last; ++b) {
                    row[*b] += x * static_cast<double>(X.values[b - X.columns]);
                }
                for (Index t = 0; t < m; ++t) row[d + t] += x * (Y(i, t) - shift[t]);
                row[d + m] += x;
            }
        }
    };
    const auto targets = [&] {
        for (Index i = 0; i < X.rows; ++i) {
            const double weight = w ? w[i] : 1.0;
            for (Index t = 0; t < m; ++t) {
                const double y = weight * (Y(i, t) - shift[t]);
                for (Index u = t; u < m; ++u) G(d + t, d + u) += y * (Y(i, u) - shift[u]);
                G(d + t, d + m) += y;
            }
            G(d + m, d + m) += weight;
        }
    };
    runtime::parallel_for(
        stripes.count() + 1,
        [&](Index stripe) {
            if (stripe < stripes.count()) {
                stripe_of_columns(stripe);
            } else {
                targets();
            }
        },
        non_zeros < 20000 ? 1 : 0);
    mirror(G);
}

template class GramBlock<float>;
template class GramBlock<double>;
#define GRAMIAN_ADD(A, T)                                                                          \
    template void GramBlock<A>::add(Matrix<const T>, Matrix<const double>, const double*,          \
                                    const double*);
GRAMIAN_ADD(float, float)
GRAMIAN_ADD(double, float)
GRAMIAN_ADD(double, double)
#undef GRAMIAN_ADD
#define GRAMIAN_GRAM(T)                                                                            \
    template void gram(Matrix<const T>, Matrix<const double>, const double*, const double*, bool,  \
                       Matrix<double>);                                                            \
    template void gram(Csr<const T, std::int32_t>, Matrix<const double>, const double*,            \
                       const double*, Matrix<double>);                                             \
    template void gram(Csr<const T, std::int64_t>, Matrix<const double>, const double*,            \
                       const double*, Matrix<double>);
GRAMIAN_GRAM(float)
GRAMIAN_GRAM(double)
#undef GRAMIAN_GRAM

} // namespace gramian::passes
