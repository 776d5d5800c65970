#include "core/svm/points.hpp"

#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"
#include "core/runtime/scratch.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>
#include <numeric>
#include <stdexcept>

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
constexpr double kSmallest = 1e-15, kLargest = 1e15; // their squares are in the range of float32
constexpr Index kManyRows = 1024;                    // fewer rows are fast enough in float64
constexpr Index kCheapFeatures = 64;                 // features
constexpr Index kLongRow = 4096; // values: the rows of a working set exceed the L1 and L2 caches

// The standard deviation of a value of size 1 from what it is in single precision, not above that
// of its exponential function; and in double precision.
constexpr double kSinglePart = 0x1p-24, kExactPart = 0x1p-53;

// The largest value of a kernel, given the largest squared norm.
double largest_value(const Kernel& kernel, double norm) {
    if (kernel.form == Form::rbf || kernel.form == Form::sigmoid) return 1;
    return std::abs(kernel_value({kernel.form, kernel.gamma, std::abs(kernel.coef0), kernel.degree},
                                 norm, norm, norm));
}

double exact_error_of(const Kernel& kernel, double norm) {
    const double more = kernel.form == Form::rbf          ? 2 * kernel.gamma * norm
                        : kernel.form == Form::polynomial ? kernel.degree
                        : kernel.form == Form::sigmoid    ? kernel.gamma * norm
                                                          : 0;
    return kExactPart * (1 + more) * largest_value(kernel, norm);
}

template <typename T>
const TileKernels<T>& tile_of() {
    if constexpr (std::is_same_v<T, float>) {
        return tiles().f32;
    } else {
        return tiles().f64;
    }
}

// g[j] += product(weights, columns[j]), where add(weights, id, factor) adds a row to the weights.
template <typename Add, typename Product>
void add_scores(Vector<const std::int32_t> ids, const double* factors,
                Vector<const std::int32_t> columns, Index d, double* g, const Add& add,
                const Product& product) {
    std::vector<double> weights(static_cast<std::size_t>(d), 0.0);
    for (Index r = 0; r < ids.size; ++r) add(weights.data(), ids[r], factors[r]);
    const runtime::Blocks blocks{columns.size, 1024};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            for (Index j = blocks.begin(b); j < blocks.end(b); ++j)
                g[j] += product(weights.data(), columns[j]);
        },
        d * columns.size < 100000 ? 1 : 0);
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

    // Norms are summed like a panel, so that they have the same bits as products.
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

// Columns whose member template fill(...) writes kernel rows in either precision.
template <typename Derived>
class FilledColumns : public Columns {
public:
    void rows(const Points& of, const std::int32_t* ids, Index count, Index begin, Index end,
              float* const* out) const final {
        static_cast<const Derived&>(*this).fill(of, ids, count, begin, end, out);
    }
    void rows(const Points& of, const std::int32_t* ids, Index count, Index begin, Index end,
              double* const* out) const final {
        static_cast<const Derived&>(*this).fill(of, ids, count, begin, end, out);
    }

private:
    explicit FilledColumns(Index n) : Columns(n) {}
    friend Derived;
};

template <typename T>
class DensePoints;

template <typename T>
class DenseColumns final : public FilledColumns<DenseColumns<T>> {
public:
    DenseColumns(const DenseRows<T>& from, const std::int32_t* ids, Index n)
        : FilledColumns<DenseColumns>(n), d_(from.d),
          panels_(static_cast<std::size_t>(padded(n) * from.d)),
          norms_(static_cast<std::size_t>(padded(n))) {
        const Index width = tile_of<T>().width, n_panels = padded(n) / width;
        for (Index p = 0; p < n_panels; ++p) {
            const Index first = std::min(p * width, n - 1);
            from.pack(first, std::max(Index{1}, std::min(width, n - p * width)), ids,
                      panels_.data() + p * width * d_);
        }
        tile_of<T>().norms(panels_.data(), n_panels, d_, norms_.data());
    }

    template <typename V>
    void fill(const Points& of, const std::int32_t* ids, Index count, Index begin, Index end,
              V* const* out) const {
        if constexpr (sizeof(V) > sizeof(T)) {
            throw std::logic_error("svm: float32 points have no kernel values in double precision");
        } else {
            fill_tiles(of, ids, count, begin, end, out);
        }
    }

private:
    template <typename V>
    void fill_tiles(const Points& of, const std::int32_t* ids, Index count, Index begin, Index end,
                    V* const* out) const;

    Index d_;
    std::vector<T> panels_;
    std::vector<T> norms_;
};

std::vector<double> zero_shift(Index d) {
    return std::vector<double>(static_cast<std::size_t>(d), 0.0);
}

template <typename T>
class DensePoints final : public Points {
public:
    template <typename S>
    DensePoints(Matrix<const S> X, const Kernel& kernel, std::vector<double> shift)
        : shift_(std::move(shift)), rows_(X, kernel, shift_) {
        if constexpr (std::is_same_v<T, float>) {
            make_exact_ = [X, kernel, at = shift_] {
                return std::make_unique<DensePoints<double>>(X, kernel, at);
            };
        }
    }

    const DenseRows<T>& dense_rows() const { return rows_; }
    Index size() const override { return rows_.n; }
    bool cheap_rows() const override { return rows_.d <= kCheapFeatures; }
    bool cheap_block(Index) const override { return cheap_rows(); }
    double diagonal(Index id) const override {
        const double norm = rows_.norms[id];
        return kernel_value(rows_.kernel, norm, norm, norm);
    }
    double single_error() const override {
        // Of float32 rows also that of gamma |x - z|^2, near 0, where it counts most.
        const double more = std::is_same_v<T, float> ? 2 * rows_.kernel.gamma * mean_norm() : 0;
        return kSinglePart * (1 + more) * largest_value(rows_.kernel, largest_norm());
    }
    double exact_error() const override { return exact_error_of(rows_.kernel, largest_norm()); }
    const Points& exact() const override {
        if constexpr (std::is_same_v<T, double>) return *this;
        const std::lock_guard lock(mutex_);
        if (!exact_) exact_ = make_exact_();
        return *exact_;
    }
    double shift_term(Index id) const override {
        if (rows_.kernel.form != Form::linear) return 0;
        double sum = 0;
        for (Index t = 0; t < rows_.d; ++t) sum += rows_.values[id * rows_.d + t] * shift_[t];
        return sum;
    }
    bool add_linear(Vector<const std::int32_t> ids, const double* factors,
                    Vector<const std::int32_t> columns, double* g) const override {
        if (rows_.kernel.form != Form::linear || !std::is_same_v<T, double>) return false;
        const Index d = rows_.d;
        const auto add = [&](double* weights, Index id, double factor) {
            const T* const x = rows_.values.data() + id * d;
            for (Index t = 0; t < d; ++t) weights[t] += factor * static_cast<double>(x[t]);
        };
        const auto product = [&](const double* weights, Index id) {
            const T* const x = rows_.values.data() + id * d;
            double sum = 0;
            for (Index t = 0; t < d; ++t) sum += weights[t] * static_cast<double>(x[t]);
            return sum;
        };
        add_scores(ids, factors, columns, d, g, add, product);
        return true;
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
                return nullptr; // the binding passes tables of one kind
            }
        };
        return std::visit(part, table);
    }

private:
    double largest_norm() const {
        return static_cast<double>(*std::max_element(rows_.norms.begin(), rows_.norms.end()));
    }
    double mean_norm() const {
        return std::accumulate(rows_.norms.begin(), rows_.norms.end(), 0.0) /
               static_cast<double>(rows_.n);
    }

    std::vector<double> shift_;
    DenseRows<T> rows_;
    std::function<std::unique_ptr<Points>()> make_exact_;
    mutable std::mutex mutex_;
    mutable std::unique_ptr<Points> exact_;
};

template <typename T>
template <typename V>
void DenseColumns<T>::fill_tiles(const Points& of, const std::int32_t* ids, Index count,
                                 Index begin, Index end, V* const* out) const {
    const DenseRows<T>& dense = static_cast<const DensePoints<T>&>(of).dense_rows();
    const Index width = tile_of<T>().width;
    for (Index first = 0; first < count; first += kRowBatch) {
        const Index some = std::min(kRowBatch, count - first);
        const T* row[kRowBatch];
        T norm[kRowBatch];
        for (Index r = 0; r < some; ++r) {
            row[r] = dense.values.data() + ids[first + r] * d_;
            norm[r] = dense.norms[ids[first + r]];
        }
        const TileCall<T, V> call{dense.kernel,  panels_.data(),      norms_.data(), d_,
                                  begin / width, padded(end) / width, row,           norm,
                                  some,          out + first};
        if constexpr (std::is_same_v<V, float>) {
            tile_of<T>().rows(call);
        } else {
            tile_of<T>().exact_rows(call);
        }
    }
}

template <typename S>
std::unique_ptr<Points> dense_points(Matrix<const S> X, const Kernel& kernel, double error,
                                     bool balanced) {
    std::vector<double> shift = zero_shift(X.cols);
    if (kernel.form != Form::rbf && !(kernel.form == Form::linear && balanced)) {
        return std::make_unique<DensePoints<double>>(X, kernel, shift);
    }
    const Index step = std::max(Index{1}, X.rows / 1000), count = (X.rows + step - 1) / step;
    for (Index i = 0; i < X.rows; i += step) { // a pilot sample
        for (Index t = 0; t < X.cols; ++t) shift[t] += X(i, t) / static_cast<double>(count);
    }
    if (kernel.form == Form::linear) {
        return std::make_unique<DensePoints<double>>(X, kernel, shift);
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

template <typename T, typename I, typename V>
auto sparse_kernel() {
    if constexpr (std::is_same_v<T, float> && std::is_same_v<I, std::int32_t>) {
        return solver_kernels<V>().sparse_f32_i32;
    } else if constexpr (std::is_same_v<T, float>) {
        return solver_kernels<V>().sparse_f32_i64;
    } else if constexpr (std::is_same_v<I, std::int32_t>) {
        return solver_kernels<V>().sparse_f64_i32;
    } else {
        return solver_kernels<V>().sparse_f64_i64;
    }
}

using Norms = std::shared_ptr<const std::vector<double>>; // many columns share them

template <typename T, typename I>
Norms norms_of(Csr<const T, I> X) {
    auto norms = std::make_shared<std::vector<double>>(static_cast<std::size_t>(X.rows));
    for (Index i = 0; i < X.rows; ++i) {
        for (I at = X.offsets[i]; at < X.offsets[i + 1]; ++at) {
            const double x = X.values[at];
            (*norms)[i] += x * x;
        }
    }
    return norms;
}

template <typename T, typename I>
class SparsePoints final : public Points {
public:
    SparsePoints(Csr<const T, I> X, const Kernel& kernel)
        : X_(X), kernel_(kernel), norms_(norms_of(X)) {}

    Index size() const override { return X_.rows; }
    double diagonal(Index id) const override {
        const double norm = (*norms_)[id];
        return kernel_value(kernel_, norm, norm, norm);
    }
    double single_error() const override {
        return kSinglePart * largest_value(kernel_, largest_norm());
    }
    double exact_error() const override { return exact_error_of(kernel_, largest_norm()); }
    bool add_linear(Vector<const std::int32_t> ids, const double* factors,
                    Vector<const std::int32_t> columns, double* g) const override {
        if (kernel_.form != Form::linear) return false;
        const auto add = [&](double* weights, Index id, double factor) {
            for (I at = X_.offsets[id]; at < X_.offsets[id + 1]; ++at)
                weights[X_.columns[at]] += factor * static_cast<double>(X_.values[at]);
        };
        const auto product = [&](const double* weights, Index id) {
            double sum = 0;
            for (I at = X_.offsets[id]; at < X_.offsets[id + 1]; ++at)
                sum += weights[X_.columns[at]] * static_cast<double>(X_.values[at]);
            return sum;
        };
        add_scores(ids, factors, columns, X_.cols, g, add, product);
        return true;
    }
    std::unique_ptr<Columns> columns(const std::int32_t* ids, Index n) const override {
        return std::make_unique<SparseColumns<T, I>>(X_, norms_,
                                                     std::vector<std::int32_t>(ids, ids + n));
    }
    std::unique_ptr<Columns> columns_of(const AnyTable& table, Index begin,
                                        Index end) const override {
        const auto part = [&](const auto& X) -> std::unique_ptr<Columns> {
            if constexpr (requires { X.offsets; }) {
                return columns_of_table(X, begin, end);
            } else {
                return nullptr;
            }
        };
        return std::visit(part, table);
    }

private:
    // Columns of a table of type (S, J), for rows of this one.
    template <typename S, typename J>
    class SparseColumns final : public FilledColumns<SparseColumns<S, J>> {
    public:
        SparseColumns(Csr<const S, J> X, Norms norms, std::vector<std::int32_t> ids)
            : FilledColumns<SparseColumns>(static_cast<Index>(ids.size())), X_(X),
              norms_(std::move(norms)), ids_(std::move(ids)) {}

        template <typename V>
        void fill(const Points& of, const std::int32_t* ids, Index count, Index begin, Index end,
                  V* const* out) const {
            const SparsePoints& points = static_cast<const SparsePoints&>(of);
            thread_local runtime::ThreadBuffer<double> buffer;
            std::vector<double>& lanes = buffer.all();
            const std::size_t wanted = static_cast<std::size_t>(X_.cols * kSparseLanes);
            if (lanes.size() < wanted) lanes.assign(wanted, 0.0); // all zeros between the calls
            for (Index first = 0; first < count; first += kSparseLanes) {
                const int some = static_cast<int>(std::min<Index>(kSparseLanes, count - first));
                double norms[kSparseLanes] = {};
                for (int r = 0; r < some; ++r) {
                    norms[r] = (*points.norms_)[ids[first + r]];
                    points.write_lane(ids[first + r], r, lanes, true);
                }
                sparse_kernel<S, J, V>()({points.kernel_, X_, ids_.data(), norms_->data(), begin,
                                          end, lanes.data(), norms, some, out + first});
                for (int r = 0; r < some; ++r) {
                    points.write_lane(ids[first + r], r, lanes, false);
                    std::fill(out[first + r] + end, out[first + r] + padded(end), V{0});
                }
            }
        }

    private:
        Csr<const S, J> X_;
        Norms norms_;
        std::vector<std::int32_t> ids_;
    };

    template <typename S, typename J>
    static std::unique_ptr<Columns> columns_of_table(Csr<const S, J> X, Index begin, Index end) {
        std::vector<std::int32_t> ids(static_cast<std::size_t>(end - begin));
        std::iota(ids.begin(), ids.end(), 0);
        const Csr<const S, J> part{X.values, X.columns, X.offsets + begin, end - begin, X.cols};
        return std::make_unique<SparseColumns<S, J>>(part, norms_of(part), std::move(ids));
    }

    void write_lane(Index id, int lane, std::vector<double>& lanes, bool on) const {
        for (I at = X_.offsets[id]; at < X_.offsets[id + 1]; ++at) {
            lanes[static_cast<std::size_t>(X_.columns[at]) * kSparseLanes + lane] =
                on ? static_cast<double>(X_.values[at]) : 0.0;
        }
    }

    double largest_norm() const { return *std::max_element(norms_->begin(), norms_->end()); }

    Csr<const T, I> X_;
    Kernel kernel_;
    Norms norms_;
};

// --- a matrix of kernel values -------------------------------------------------------------------

template <typename T>
class MatrixPoints final : public Points {
public:
    MatrixPoints(Matrix<const T> values, const Points* origin) : values_(values), origin_(origin) {}

    Index size() const override { return values_.rows; }
    bool cheap_rows() const override { return true; }
    bool cheap_block(Index n) const override { return n >= kLongRow; }
    double diagonal(Index id) const override { return values_(id, id); }
    double single_error() const override {
        if (origin_) return origin_->single_error();
        return std::is_same_v<T, float> ? 0 : kSinglePart * largest();
    }
    double exact_error() const override { return kExactPart * largest(); }
    const Points& exact() const override { return origin_ ? origin_->exact() : *this; }
    double shift_term(Index id) const override { return origin_ ? origin_->shift_term(id) : 0; }
    std::unique_ptr<Columns> columns(const std::int32_t* ids, Index n) const override {
        return std::make_unique<MatrixColumns>(ids, n);
    }
    std::unique_ptr<Columns> columns_of(const AnyTable&, Index, Index) const override {
        return nullptr; // no binding calls it
    }

private:
    // Copies runs of adjacent columns of the matrix.
    class MatrixColumns final : public FilledColumns<MatrixColumns> {
    public:
        MatrixColumns(const std::int32_t* ids, Index n) : FilledColumns<MatrixColumns>(n) {
            for (Index j = 0; j < n; ++j) {
                if (j == 0 || ids[j] != ids[j - 1] + 1) runs_.push_back({j, j, ids[j]});
                ++runs_.back().end;
            }
        }

        template <typename V>
        void fill(const Points& of, const std::int32_t* ids, Index count, Index begin, Index end,
                  V* const* out) const {
            const Matrix<const T> values = static_cast<const MatrixPoints&>(of).values_;
            const auto ends_after = [](Index j, const Run& run) { return j < run.end; };
            const auto first = std::upper_bound(runs_.begin(), runs_.end(), begin, ends_after);
            for (Index r = 0; r < count; ++r) {
                const T* const row = values.row(ids[r]);
                auto run = first;
                for (Index j = begin; j < end; ++run) {
                    const T* from = row + run->id + (j - run->begin);
                    const Index stop = std::min(end, run->end);
                    for (; j < stop; ++j) out[r][j] = static_cast<V>(*from++);
                }
                std::fill(out[r] + end, out[r] + padded(end), V{0});
            }
        }

    private:
        struct Run {
            Index begin, end; // its positions among the columns
            Index id;         // the column of the matrix at position begin
        };
        std::vector<Run> runs_;
    };

    double largest() const {
        const runtime::Blocks rows{values_.rows, 64};
        std::vector<double> most(static_cast<std::size_t>(rows.count()), 0.0);
        runtime::parallel_for(
            rows.count(),
            [&](Index b) {
                for (Index i = rows.begin(b); i < rows.end(b); ++i) {
                    const T* const row = values_.row(i);
                    for (Index j = 0; j < values_.cols; ++j) {
                        most[b] = std::max(most[b], std::abs(static_cast<double>(row[j])));
                    }
                }
            },
            values_.rows * values_.cols < 20000 ? 1 : 0);
        return *std::max_element(most.begin(), most.end());
    }

    Matrix<const T> values_;
    const Points* origin_;
};

} // namespace

std::unique_ptr<Points> points_of(const AnyTable& table, const Kernel& kernel, double error,
                                  bool balanced) {
    const auto make = [&](const auto& X) -> std::unique_ptr<Points> {
        if constexpr (requires { X.offsets; }) {
            using T = std::remove_const_t<std::remove_reference_t<decltype(X.values[0])>>;
            using I = std::remove_const_t<std::remove_reference_t<decltype(X.offsets[0])>>;
            return std::make_unique<SparsePoints<T, I>>(X, kernel);
        } else {
            return dense_points(X, kernel, error, balanced);
        }
    };
    return std::visit(make, table);
}

std::unique_ptr<Points> points_of_matrix(Matrix<const float> values, const Points* origin) {
    return std::make_unique<MatrixPoints<float>>(values, origin);
}
std::unique_ptr<Points> points_of_matrix(Matrix<const double> values) {
    return std::make_unique<MatrixPoints<double>>(values, nullptr);
}

} // namespace gramian::svm
