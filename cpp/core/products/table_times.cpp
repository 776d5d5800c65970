#include "core/products/table_times.hpp"

#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

GRAMIAN_DISPATCH(products, ProductKernels, product_kernels, product_table)

namespace gramian::products {
namespace {

constexpr Index kBlockRows = 96;   // rows of a block, a multiple of kRowsAtOnce
constexpr Index kSparseRows = 256; // sparse rows of a block
constexpr Index kRangeCols = 2048; // columns whose sums one thread makes
constexpr Index kManyCols = 8 * kRangeCols;
constexpr Index kStripes = 16;           // sums over rows that are merged
constexpr Index kStripeBytes = 64 << 20; // of all these sums
constexpr Index kCacheBytes = 2 << 20;   // of a panel that stays in a cache near the processor
constexpr double kSerialWork = 1e6;      // products below which threads cost more than they save

const GroupKernels<float>& kernels_of(float) {
    return product_table().f32;
}
const GroupKernels<double>& kernels_of(double) {
    return product_table().f64;
}
SparseRow<float, std::int32_t> row_kernel(float, std::int32_t) {
    return product_table().f32_i32;
}
SparseRow<float, std::int64_t> row_kernel(float, std::int64_t) {
    return product_table().f32_i64;
}
SparseRow<double, std::int32_t> row_kernel(double, std::int32_t) {
    return product_table().f64_i32;
}
SparseRow<double, std::int64_t> row_kernel(double, std::int64_t) {
    return product_table().f64_i64;
}

Index panels_of(Index columns) {
    return (columns + kWidth - 1) / kWidth;
}

// An array aligned to a cache line.
class Aligned {
public:
    explicit Aligned(Index size) : memory_(static_cast<std::size_t>(size + 8)) {
        const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
        data_ = memory_.data() + (64 - address % 64) % 64 / sizeof(double);
    }
    double* data() const { return data_; }

private:
    std::vector<double> memory_;
    double* data_;
};

// The columns of V as panels, one after the other; one panel is V as it is.
class Panels {
public:
    explicit Panels(Matrix<const double> V)
        : rows_(V.rows), memory_(V.cols == kWidth ? 0 : panels_of(V.cols) * V.rows * kWidth),
          data_(V.cols == kWidth ? V.data : memory_.data()) {
        for (Index p = 0; V.cols != kWidth && p < panels_of(V.cols); ++p) {
            const Index first = p * kWidth, width = std::min(kWidth, V.cols - first);
            double* to = memory_.data() + p * rows_ * kWidth;
            for (Index j = 0; j < V.rows; ++j) {
                std::copy_n(V.row(j) + first, width, to + j * kWidth);
            }
        }
    }
    const double* at(Index panel, Index row) const {
        return data_ + (panel * rows_ + row) * kWidth;
    }

private:
    Index rows_;
    Aligned memory_;
    const double* data_;
};

template <typename T>
int threads_for(Matrix<const T> X, Index columns) {
    const double work = static_cast<double>(X.rows) * static_cast<double>(X.cols * columns);
    return work < kSerialWork ? 1 : 0;
}

// body(rows, first) for each group of up to kRowsAtOnce rows.
template <typename T, typename Body>
void each_group(Matrix<const T> X, Index begin, Index end, const Body& body) {
    for (Index i = begin; i < end; i += kRowsAtOnce) {
        body(Group<T>{X.row(i), std::min(kRowsAtOnce, end - i), X.cols, X.cols}, i);
    }
}

// Sums over rows: stripes of blocks, each with panels of sums of its own, merged in order.
template <typename T>
class BlockedSums {
public:
    BlockedSums(Matrix<const T> X, Index columns)
        : X_(X), n_panels_(panels_of(columns)), blocks_{X.rows, kBlockRows},
          stripes_{blocks_.count(), 0}, threads_(threads_for(X, columns)) {
        const Index size = std::max<Index>(1, X.cols * n_panels_ * kWidth);
        const Index most = std::clamp<Index>(kStripeBytes / (8 * size), 2, kStripes);
        stripes_.size = std::max<Index>(1, (blocks_.count() + most - 1) / most);
        sums_.reserve(static_cast<std::size_t>(stripes_.count()));
        for (Index s = 0; s < stripes_.count(); ++s) sums_.emplace_back(size);
    }
    Index count() const { return stripes_.count(); }
    // body(rows, first, stripe) for each group of rows, those of a stripe one after the other.
    template <typename Body>
    void run(const Body& body) const {
        runtime::parallel_for(
            stripes_.count(),
            [&](Index s) {
                for (Index b = stripes_.begin(s); b < stripes_.end(s); ++b) {
                    each_group(X_, blocks_.begin(b), blocks_.end(b),
                               [&](Group<T> x, Index first) { body(x, first, s); });
                    runtime::poll_interrupt();
                }
            },
            threads_);
    }
    double* sums(Index stripe, Index panel) const {
        return sums_[static_cast<std::size_t>(stripe)].data() + panel * X_.cols * kWidth;
    }
    void merge(Matrix<double> out) const {
        const runtime::Blocks columns{X_.cols, 512};
        runtime::parallel_for(
            columns.count(),
            [&](Index c) {
                for (Index p = 0; p < n_panels_; ++p) {
                    const Index first = p * kWidth, width = std::min(kWidth, out.cols - first);
                    for (Index j = columns.begin(c); j < columns.end(c); ++j) {
                        double total[kWidth] = {};
                        for (Index s = 0; s < stripes_.count(); ++s) {
                            const double* row = sums(s, p) + j * kWidth;
                            for (Index l = 0; l < kWidth; ++l) total[l] += row[l];
                        }
                        std::copy_n(total, width, out.row(j) + first);
                    }
                }
            },
            threads_);
    }

private:
    Matrix<const T> X_;
    Index n_panels_;
    runtime::Blocks blocks_;
    runtime::Blocks stripes_;
    int threads_;
    std::vector<Aligned> sums_;
};

// One thread per range of columns, which adds up all rows.
template <typename T>
void transposed_by_columns(Matrix<const T> X, const Panels& panels, Matrix<double> out) {
    const runtime::Blocks ranges{X.cols, kRangeCols};
    runtime::parallel_for(
        ranges.count(),
        [&](Index c) {
            const Index begin = ranges.begin(c), cols = ranges.end(c) - begin;
            Aligned sums(panels_of(out.cols) * cols * kWidth);
            each_group(X, 0, X.rows, [&](Group<T> x, Index first) {
                for (Index p = 0; p < panels_of(out.cols); ++p) {
                    kernels_of(T()).transposed({x.data + begin, x.rows, cols, x.stride},
                                               panels.at(p, first),
                                               sums.data() + p * cols * kWidth);
                }
                if (first % kBlockRows == 0) runtime::poll_interrupt();
            });
            for (Index p = 0; p < panels_of(out.cols); ++p) {
                const Index first = p * kWidth, width = std::min(kWidth, out.cols - first);
                for (Index j = 0; j < cols; ++j) {
                    std::copy_n(sums.data() + (p * cols + j) * kWidth, width,
                                out.row(begin + j) + first);
                }
            }
        },
        threads_for(X, out.cols));
}

} // namespace

template <typename T>
void times(Matrix<const T> X, Matrix<const double> V, Matrix<double> out) {
    const Panels panels(V);
    const runtime::Blocks blocks{X.rows, kBlockRows};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            double product[kRowsAtOnce * kWidth];
            each_group(X, blocks.begin(b), blocks.end(b), [&](Group<T> x, Index at) {
                for (Index p = 0; p < panels_of(V.cols); ++p) {
                    const Index first = p * kWidth, width = std::min(kWidth, V.cols - first);
                    kernels_of(T()).times(x, panels.at(p, 0), product);
                    for (Index i = 0; i < x.rows; ++i) {
                        std::copy_n(product + i * kWidth, width, out.row(at + i) + first);
                    }
                }
            });
        },
        threads_for(X, V.cols));
}

template <typename T, typename I>
void times(Csr<const T, I> X, Matrix<const double> V, Matrix<double> out) {
    const Panels panels(V);
    const auto kernel = row_kernel(T(), I());
    const bool ahead = X.cols * kWidth * static_cast<Index>(sizeof(double)) > kCacheBytes;
    const runtime::Blocks blocks{X.rows, kSparseRows};
    const double entries = static_cast<double>(X.offsets[X.rows] - X.offsets[0]);
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            double product[kWidth];
            for (Index p = 0; p < panels_of(V.cols); ++p) {
                const Index first = p * kWidth, width = std::min(kWidth, V.cols - first);
                for (Index i = blocks.begin(b); i < blocks.end(b); ++i) {
                    const I at = X.offsets[i];
                    kernel(X.values + at, X.columns + at, static_cast<Index>(X.offsets[i + 1] - at),
                           ahead ? static_cast<Index>(X.offsets[X.rows] - at) : 0, panels.at(p, 0),
                           product);
                    std::copy_n(product, width, out.row(i) + first);
                }
            }
        },
        entries * static_cast<double>(V.cols) < kSerialWork ? 1 : 0);
}

template <typename T>
void transposed_times(Matrix<const T> X, Matrix<const double> U, Matrix<double> out) {
    const Panels panels(U);
    if (X.cols >= kManyCols) return transposed_by_columns(X, panels, out);
    const BlockedSums<T> stripes(X, U.cols);
    stripes.run([&](Group<T> x, Index first, Index stripe) {
        for (Index p = 0; p < panels_of(U.cols); ++p) {
            kernels_of(T()).transposed(x, panels.at(p, first), stripes.sums(stripe, p));
        }
    });
    stripes.merge(out);
}

// With t_i = V'(x_i - m) the sum is sum_i (x_i - m) t_i' = X'T - m (1'T).
template <typename T>
void gram_times(Matrix<const T> X, const double* mean, Matrix<const double> V, Matrix<double> out) {
    const Index n_panels = panels_of(V.cols), width = n_panels * kWidth;
    const Panels panels(V);
    const BlockedSums<T> stripes(X, V.cols);
    std::vector<double> offsets(static_cast<std::size_t>(width)); // V'm
    for (Index j = 0; mean && j < V.rows; ++j) {
        for (Index c = 0; c < V.cols; ++c) offsets.data()[c] += mean[j] * V(j, c);
    }
    std::vector<double> totals(static_cast<std::size_t>(stripes.count() * width)); // 1'T
    stripes.run([&](Group<T> x, Index, Index stripe) {
        double t[kRowsAtOnce * kWidth];
        for (Index p = 0; p < n_panels; ++p) {
            kernels_of(T()).times(x, panels.at(p, 0), t);
            const double* offset = offsets.data() + p * kWidth;
            double* total = totals.data() + stripe * width + p * kWidth;
            for (Index i = 0; i < x.rows; ++i) {
                for (Index l = 0; l < kWidth; ++l) {
                    t[i * kWidth + l] -= offset[l];
                    total[l] += t[i * kWidth + l];
                }
            }
            kernels_of(T()).transposed(x, t, stripes.sums(stripe, p));
        }
    });
    stripes.merge(out);
    if (!mean) return;
    std::vector<double> total(static_cast<std::size_t>(width));
    for (Index s = 0; s < stripes.count(); ++s) {
        for (Index c = 0; c < width; ++c) total.data()[c] += totals.data()[s * width + c];
    }
    for (Index j = 0; j < out.rows; ++j) {
        for (Index c = 0; c < out.cols; ++c) out(j, c) -= mean[j] * total.data()[c];
    }
}

#define GRAMIAN_PRODUCTS(T)                                                                        \
    template void times(Matrix<const T>, Matrix<const double>, Matrix<double>);                    \
    template void times(Csr<const T, std::int32_t>, Matrix<const double>, Matrix<double>);         \
    template void times(Csr<const T, std::int64_t>, Matrix<const double>, Matrix<double>);         \
    template void transposed_times(Matrix<const T>, Matrix<const double>, Matrix<double>);         \
    template void gram_times(Matrix<const T>, const double*, Matrix<const double>, Matrix<double>);
GRAMIAN_PRODUCTS(float)
GRAMIAN_PRODUCTS(double)
#undef GRAMIAN_PRODUCTS

} // namespace gramian::products
