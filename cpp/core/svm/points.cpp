#include "core/svm/points.hpp"

#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"
#include "core/runtime/scratch.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

GRAMIAN_DISPATCH(svm, TileTable, tile_table, tiles)

namespace gramian::svm {

double kernel_value(const Kernel& kernel, double product, double norm, double other_norm) {
    switch (kernel.form) {
    case Form::linear:
        return product;
    case Form::polynomial:
        return std::pow(kernel.gamma * product + kernel.coef0, kernel.degree);
    case Form::rbf:
        return std::exp(-kernel.gamma * std::max(norm + other_norm - 2 * product, 0.0));
    case Form::sigmoid:
        return std::tanh(kernel.gamma * product + kernel.coef0);
    }
    return 0;
}

namespace {

// The error of gamma |x - z|^2 = gamma (|x|^2 + |z|^2 - 2 x . z) in float32, as a part of
// gamma |x|^2; near 0 it is that of exp(-gamma |x - z|^2).
constexpr double kSingleError = 0x1p-23;
constexpr double kSmallest = 1e-15, kLargest = 1e15; // numbers whose squares float32 holds
constexpr Index kManyRows = 1024;                    // fewer cost little in float64
constexpr Index kQuick = 64;                         // features
constexpr Index kLongRow = 4096; // values: the rows of a working set are beyond the first caches

template <typename T>
const TileKernels<T>& tile_of() {
    if constexpr (std::is_same_v<T, float>) {
        return tiles().f32;
    } else {
        return tiles().f64;
    }
}

// --- dense ---------------------------------------------------------------------------------------

// Rows less the shift, one after the other, with their squared norms.
template <typename T>
struct DenseRows {
    Kernel kernel;
    Index n;
    Index d;
    std::vector<T> values;
    std::vector<T> norms;

    template <typename S>
    DenseRows(Matrix<const S> X, const Kernel& kernel, const std::vector<double>& shift)
        : kernel(kernel), n(X.rows), d(X.cols), values(static_cast<std::size_t>(n * d)),
          norms(static_cast<std::size_t>(n)) {
        const runtime::Blocks blocks{n, 1024};
        runtime::parallel_for(
            blocks.count(),
            [&](Index b) {
                for (Index i = blocks.begin(b); i < blocks.end(b); ++i) {
                    for (Index t = 0; t < d; ++t) {
                        values[i * d + t] = static_cast<T>(X(i, t) - shift[t]);
                    }
                }
                set_norms(blocks.begin(b), blocks.end(b));
            },
            n * d < 20000 ? 1 : 0);
    }

    // Norms by the sums of a panel, so that they have the bits of a product.
    void set_norms(Index begin, Index end) {
        const Index width = tile_of<T>().width;
        std::vector<T> panel(static_cast<std::size_t>(width * d)), of_panel(width);
        for (Index first = begin; first < end; first += width) {
            const Index count = std::min(width, end - first);
            pack(first, count, nullptr, panel.data());
            tile_of<T>().norms(panel.data(), 1, d, of_panel.data());
            std::copy(of_panel.begin(), of_panel.begin() + count, norms.begin() + first);
        }
    }

    // Rows first .. first + count - 1 (of `ids`, where there are some) into the lanes of a panel.
    void pack(Index first, Index count, const std::int32_t* ids, T* panel) const {
        const Index width = tile_of<T>().width;
        for (Index lane = 0; lane < width; ++lane) {
            const Index at = first + std::min(lane, count - 1); // the last one fills the panel
            const T* const x = values.data() + (ids ? ids[at] : at) * d;
            for (Index t = 0; t < d; ++t) panel[t * width + lane] = x[t];
        }
    }
};

template <typename T>
class DensePoints;

template <typename T>
class DenseColumns final : public Columns {
public:
    DenseColumns(const DenseRows<T>& from, const std::int32_t* ids, Index n)
        : Columns(n), d_(from.d), panels_(static_cast<std::size_t>(padded(n) * from.d)),
          norms_(static_cast<std::size_t>(padded(n))) {
        const Index width = tile_of<T>().width, n_panels = padded(n) / width;
        for (Index p = 0; p < n_panels; ++p) {
            const Index first = std::min(p * width, n - 1);
            from.pack(first, std::max(Index{1}, std::min(width, n - p * width)), ids,
                      panels_.data() + p * width * d_);
        }
        tile_of<T>().norms(panels_.data(), n_panels, d_, norms_.data());
    }

    void rows(const Points& of, const std::int32_t* ids, Index count, Index begin, Index end,
              float* const* out) const override;

private:
    Index d_;
    std::vector<T> panels_;
    std::vector<T> norms_;
};

std::vector<double> no_shift(Index d) {
    return std::vector<double>(static_cast<std::size_t>(d), 0.0);
}

template <typename T>
class DensePoints final : public Points {
public:
    template <typename S>
    DensePoints(Matrix<const S> X, const Kernel& kernel, std::vector<double> shift)
        : shift_(std::move(shift)), rows_(X, kernel, shift_) {}

    const DenseRows<T>& held() const { return rows_; }
    Index size() const override { return rows_.n; }
    bool quick() const override { return rows_.d <= kQuick; }
    bool quick_block(Index) const override { return quick(); }
    double diagonal(Index id) const override {
        const double norm = rows_.norms[id];
        return kernel_value(rows_.kernel, norm, norm, norm);
    }
    std::unique_ptr<Columns> columns(const std::int32_t* ids, Index n) const override {
        return std::make_unique<DenseColumns<T>>(rows_, ids, n);
    }
    std::unique_ptr<Columns> columns_of(const AnyTable& table, Index begin,
                                        Index end) const override {
        const auto part = [&](const auto& X) -> std::unique_ptr<Columns> {
            if constexpr (requires { X.data; }) {
                auto chosen = X;
                chosen.data += begin * X.cols;
                chosen.rows = end - begin;
                const DenseRows<T> rows(chosen, rows_.kernel, shift_);
                return std::make_unique<DenseColumns<T>>(rows, nullptr, end - begin);
            } else {
                return nullptr; // the binding gives tables of one kind
            }
        };
        return std::visit(part, table);
    }

private:
    std::vector<double> shift_;
    DenseRows<T> rows_;
};

template <typename T>
void DenseColumns<T>::rows(const Points& of, const std::int32_t* ids, Index count, Index begin,
                           Index end, float* const* out) const {
    const DenseRows<T>& held = static_cast<const DensePoints<T>&>(of).held();
    const Index width = tile_of<T>().width;
    for (Index first = 0; first < count; first += kRowBatch) {
        const Index some = std::min(kRowBatch, count - first);
        const T* row[kRowBatch];
        T norm[kRowBatch];
        for (Index r = 0; r < some; ++r) {
            row[r] = held.values.data() + ids[first + r] * d_;
            norm[r] = held.norms[ids[first + r]];
        }
        tile_of<T>().rows({held.kernel, panels_.data(), norms_.data(), d_, begin / width,
                           padded(end) / width, row, norm, some, out + first});
    }
}

template <typename S>
std::unique_ptr<Points> dense_points(Matrix<const S> X, const Kernel& kernel, double error) {
    std::vector<double> shift = no_shift(X.cols);
    if (kernel.form != Form::rbf) return std::make_unique<DensePoints<double>>(X, kernel, shift);
    const Index step = std::max(Index{1}, X.rows / 1000), count = (X.rows + step - 1) / step;
    for (Index i = 0; i < X.rows; i += step) { // a pilot sample
        for (Index t = 0; t < X.cols; ++t) shift[t] += X(i, t) / static_cast<double>(count);
    }
    double squares = 0, largest = 0;
    for (Index i = 0; i < X.rows; ++i) {
        for (Index t = 0; t < X.cols; ++t) {
            const double x = static_cast<double>(X(i, t)) - shift[t];
            squares += x * x;
            largest = std::max(largest, std::abs(x));
        }
    }
    const bool narrow =
        X.rows >= kManyRows &&
        kSingleError * kernel.gamma * squares <= error * static_cast<double>(X.rows) &&
        kernel.gamma < kLargest * kLargest && largest >= kSmallest && largest <= kLargest;
    if (narrow) return std::make_unique<DensePoints<float>>(X, kernel, shift);
    return std::make_unique<DensePoints<double>>(X, kernel, shift);
}

// --- sparse --------------------------------------------------------------------------------------

template <typename T, typename I>
auto sparse_kernel() {
    if constexpr (std::is_same_v<T, float> && std::is_same_v<I, std::int32_t>) {
        return solver_kernels().sparse_f32_i32;
    } else if constexpr (std::is_same_v<T, float>) {
        return solver_kernels().sparse_f32_i64;
    } else if constexpr (std::is_same_v<I, std::int32_t>) {
        return solver_kernels().sparse_f64_i32;
    } else {
        return solver_kernels().sparse_f64_i64;
    }
}

template <typename T, typename I>
class SparsePoints final : public Points {
public:
    SparsePoints(Csr<const T, I> X, const Kernel& kernel)
        : X_(X), kernel_(kernel), norms_(static_cast<std::size_t>(X.rows)) {
        for (Index i = 0; i < X.rows; ++i) {
            double norm = 0;
            for (I at = X.offsets[i]; at < X.offsets[i + 1]; ++at) {
                const double x = X.values[at];
                norm += x * x;
            }
            norms_[i] = norm;
        }
    }

    Index size() const override { return X_.rows; }
    double diagonal(Index id) const override {
        return kernel_value(kernel_, norms_[id], norms_[id], norms_[id]);
    }
    std::unique_ptr<Columns> columns(const std::int32_t* ids, Index n) const override {
        return std::make_unique<Side>(X_, norms_, std::vector<std::int32_t>(ids, ids + n));
    }
    std::unique_ptr<Columns> columns_of(const AnyTable& table, Index begin,
                                        Index end) const override {
        const auto part = [&](const auto& X) -> std::unique_ptr<Columns> {
            if constexpr (requires { X.offsets; }) {
                return other_side(X, begin, end);
            } else {
                return nullptr;
            }
        };
        return std::visit(part, table);
    }

private:
    // Columns of the table of type (S, J), for rows of this one.
    template <typename S, typename J>
    class SideOf final : public Columns {
    public:
        SideOf(Csr<const S, J> X, std::vector<double> norms, std::vector<std::int32_t> ids)
            : Columns(static_cast<Index>(ids.size())), X_(X), norms_(std::move(norms)),
              ids_(std::move(ids)) {}

        void rows(const Points& of, const std::int32_t* ids, Index count, Index begin, Index end,
                  float* const* out) const override {
            const SparsePoints& points = static_cast<const SparsePoints&>(of);
            thread_local runtime::ThreadBuffer<double> buffer;
            std::vector<double>& lanes = buffer.all();
            const std::size_t wanted = static_cast<std::size_t>(X_.cols * kSparseLanes);
            if (lanes.size() < wanted) lanes.assign(wanted, 0.0); // all zeros between the calls
            for (Index first = 0; first < count; first += kSparseLanes) {
                const int some = static_cast<int>(std::min<Index>(kSparseLanes, count - first));
                double norms[kSparseLanes] = {};
                for (int r = 0; r < some; ++r) {
                    norms[r] = points.norms_[ids[first + r]];
                    points.spread(ids[first + r], r, lanes, true);
                }
                sparse_kernel<S, J>()({points.kernel_, X_, ids_.data(), norms_.data(), begin, end,
                                       lanes.data(), norms, some, out + first});
                for (int r = 0; r < some; ++r) {
                    points.spread(ids[first + r], r, lanes, false);
                    std::fill(out[first + r] + end, out[first + r] + padded(end), 0.0f);
                }
            }
        }

    private:
        Csr<const S, J> X_;
        std::vector<double> norms_;
        std::vector<std::int32_t> ids_;
    };
    using Side = SideOf<T, I>;

    template <typename S, typename J>
    static std::unique_ptr<Columns> other_side(Csr<const S, J> X, Index begin, Index end) {
        std::vector<std::int32_t> ids(static_cast<std::size_t>(end - begin));
        std::iota(ids.begin(), ids.end(), 0);
        const Csr<const S, J> part{X.values, X.columns, X.offsets + begin, end - begin, X.cols};
        std::vector<double> norms(ids.size());
        for (Index i = 0; i < part.rows; ++i) {
            for (J at = part.offsets[i]; at < part.offsets[i + 1]; ++at) {
                const double x = part.values[at];
                norms[i] += x * x;
            }
        }
        return std::make_unique<SideOf<S, J>>(part, std::move(norms), std::move(ids));
    }

    void spread(Index id, int lane, std::vector<double>& lanes, bool on) const {
        for (I at = X_.offsets[id]; at < X_.offsets[id + 1]; ++at) {
            lanes[static_cast<std::size_t>(X_.columns[at]) * kSparseLanes + lane] =
                on ? static_cast<double>(X_.values[at]) : 0.0;
        }
    }

    Csr<const T, I> X_;
    Kernel kernel_;
    std::vector<double> norms_;
};

// --- a matrix of kernel values -------------------------------------------------------------------

template <typename T>
class MatrixPoints final : public Points {
public:
    explicit MatrixPoints(Matrix<const T> values) : values_(values) {}

    Index size() const override { return values_.rows; }
    bool quick() const override { return true; }
    bool quick_block(Index n) const override { return n >= kLongRow; }
    double diagonal(Index id) const override { return values_(id, id); }
    std::unique_ptr<Columns> columns(const std::int32_t* ids, Index n) const override {
        return std::make_unique<Picked>(ids, n);
    }
    std::unique_ptr<Columns> columns_of(const AnyTable&, Index, Index) const override {
        return nullptr; // no binding asks for it
    }

private:
    // Columns that follow each other in the matrix are copied together.
    class Picked final : public Columns {
    public:
        Picked(const std::int32_t* ids, Index n) : Columns(n) {
            for (Index j = 0; j < n; ++j) {
                if (j == 0 || ids[j] != ids[j - 1] + 1) runs_.push_back({j, j, ids[j]});
                ++runs_.back().end;
            }
        }

        void rows(const Points& of, const std::int32_t* ids, Index count, Index begin, Index end,
                  float* const* out) const override {
            const Matrix<const T> values = static_cast<const MatrixPoints&>(of).values_;
            const auto ends_after = [](Index j, const Run& run) { return j < run.end; };
            const auto first = std::upper_bound(runs_.begin(), runs_.end(), begin, ends_after);
            for (Index r = 0; r < count; ++r) {
                const T* const row = values.row(ids[r]);
                auto run = first;
                for (Index j = begin; j < end; ++run) {
                    const T* from = row + run->id + (j - run->begin);
                    const Index stop = std::min(end, run->end);
                    for (; j < stop; ++j) out[r][j] = static_cast<float>(*from++);
                }
                std::fill(out[r] + end, out[r] + padded(end), 0.0f);
            }
        }

    private:
        struct Run {
            Index begin, end; // its places among the columns
            Index id;         // the column of the matrix that lies at the first of them
        };
        std::vector<Run> runs_;
    };

    Matrix<const T> values_;
};

} // namespace

std::unique_ptr<Points> points_of(const AnyTable& table, const Kernel& kernel, double error) {
    const auto make = [&](const auto& X) -> std::unique_ptr<Points> {
        if constexpr (requires { X.offsets; }) {
            using T = std::remove_const_t<std::remove_reference_t<decltype(X.values[0])>>;
            using I = std::remove_const_t<std::remove_reference_t<decltype(X.offsets[0])>>;
            return std::make_unique<SparsePoints<T, I>>(X, kernel);
        } else {
            return dense_points(X, kernel, error);
        }
    };
    return std::visit(make, table);
}

std::unique_ptr<Points> points_of_matrix(Matrix<const float> values) {
    return std::make_unique<MatrixPoints<float>>(values);
}
std::unique_ptr<Points> points_of_matrix(Matrix<const double> values) {
    return std::make_unique<MatrixPoints<double>>(values);
}

} // namespace gramian::svm
