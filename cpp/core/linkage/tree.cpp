#include "core/distance/frame.hpp"
#include "core/linkage/linkage.hpp"
#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"
#include "core/runtime/sort.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

GRAMIAN_DISPATCH(linkage, LinkageKernels, linkage_kernel_table, linkage_kernels)

namespace gramian::linkage {
namespace {

// A disjoint-set forest of the clusters, in which each union makes a new cluster.
class Forest {
public:
    explicit Forest(Index n)
        : parent_(static_cast<std::size_t>(2 * n - 1)), size_(parent_.size(), 1), next_(n) {
        std::iota(parent_.begin(), parent_.end(), 0);
    }
    std::int32_t find(std::int32_t x) {
        std::int32_t root = x;
        while (parent_[root] != root) root = parent_[root];
        while (parent_[x] != root) x = std::exchange(parent_[x], root);
        return root;
    }
    std::int32_t size(std::int32_t root) const { return size_[root]; }
    void join(std::int32_t a, std::int32_t b) {
        const auto made = static_cast<std::int32_t>(next_++);
        parent_[a] = parent_[b] = made;
        size_[made] = size_[a] + size_[b];
    }

private:
    std::vector<std::int32_t> parent_, size_;
    Index next_;
};

} // namespace

void write_tree(const std::vector<Merge>& merges, bool sorted, Matrix<double> Z) {
    const Index n = static_cast<Index>(merges.size()) + 1;
    std::vector<std::uint32_t> order(merges.size());
    if (sorted) {
        std::vector<double> heights;
        heights.reserve(merges.size());
        for (const Merge& merge : merges) heights.push_back(merge.height);
        order = runtime::radix_order(heights);
    } else {
        std::iota(order.begin(), order.end(), 0);
    }
    Forest forest(n);
    for (Index i = 0; i < n - 1; ++i) {
        const Merge& merge = merges[order[i]];
        const std::int32_t a = forest.find(merge.a), b = forest.find(merge.b);
        Z(i, 0) = std::min(a, b);
        Z(i, 1) = std::max(a, b);
        Z(i, 2) = merge.height;
        Z(i, 3) = forest.size(a) + forest.size(b);
        forest.join(a, b);
    }
}

void tree_of_edges(Matrix<const double> edges, Matrix<double> Z) {
    std::vector<Merge> merges;
    merges.reserve(static_cast<std::size_t>(edges.rows));
    for (Index i = 0; i < edges.rows; ++i) {
        merges.push_back({static_cast<std::int32_t>(edges(i, 0)),
                          static_cast<std::int32_t>(edges(i, 1)), edges(i, 2)});
    }
    write_tree(merges, true, Z);
}

template <typename T>
Columns columns_of(Matrix<const T> X) {
    Columns columns{{}, padded_size(X.rows)};
    columns.values.resize(static_cast<std::size_t>(columns.stride * X.cols));
    for (Index j = 0; j < X.rows; ++j) {
        for (Index t = 0; t < X.cols; ++t) columns.at(t)[j] = static_cast<double>(X(j, t));
    }
    return columns;
}

template <typename T>
CoarseColumns coarse_columns_of(Matrix<const T> X) {
    constexpr double c = 0x1p-10;
    const distance::Frame<T> frame = distance::frame_of(X);
    const double scale = static_cast<double>(frame.scale);
    const double roundings = 1 + static_cast<double>(X.cols + 16) * 0x1p-23;
    CoarseColumns columns{{},
                          padded_size(X.rows),
                          std::vector<double>(static_cast<std::size_t>(padded_size(X.rows))),
                          scale,
                          (1 + c) * roundings,
                          (1 + 1 / c) * roundings,
                          static_cast<double>(X.cols + 1) * std::numeric_limits<float>::min()};
    columns.values.resize(static_cast<std::size_t>(columns.stride * X.cols));
    for (Index j = 0; j < X.rows; ++j) {
        double norm = 0;
        for (Index t = 0; t < X.cols; ++t) {
            const double x =
                (static_cast<double>(X(j, t)) - static_cast<double>(frame.shift[t])) * scale;
            norm += x * x;
            columns.at(t)[j] = static_cast<float>(x);
        }
        columns.row_error[j] = std::sqrt(norm) * 0x1p-24 * (1 + 1e-6);
    }
    return columns;
}

template <typename T>
void all_distances(Matrix<const T> X, Matrix<double> D) {
    constexpr Index kTile = 2 * kPadding; // rows and columns: 32 KB
    const Index n = X.rows, d = X.cols;
    const Columns columns = columns_of(X);
    const runtime::Blocks blocks{n, kTile};
    const LinkageKernels& kernels = linkage_kernels();
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            std::vector<double> tile(static_cast<std::size_t>(kTile * kTile)), query(d);
            const Index first = blocks.begin(b), rows = blocks.end(b) - first;
            for (Index from = first; from < n; from += kTile) {
                const Index width = std::min(kTile, n - from);
                for (Index i = 0; i < rows; ++i) {
                    for (Index t = 0; t < d; ++t) query[t] = columns.at(t)[first + i];
                    double* const out = tile.data() + i * kTile;
                    kernels.squares(columns.values.data() + from, columns.stride, width, d,
                                    query.data(), out);
                    kernels.roots(out, width);
                    std::copy(out, out + width, D.row(first + i) + from);
                }
                for (Index j = 0; j < width; ++j) {
                    double* const out = D.row(from + j) + first;
                    for (Index i = 0; i < rows; ++i) out[i] = tile[i * kTile + j];
                }
            }
        },
        n * n * d < 100000 ? 1 : 0);
}

#define GRAMIAN_LINKAGE(T)                                                                         \
    template Columns columns_of(Matrix<const T>);                                                  \
    template CoarseColumns coarse_columns_of(Matrix<const T>);                                     \
    template void all_distances(Matrix<const T>, Matrix<double>);
GRAMIAN_LINKAGE(float)
GRAMIAN_LINKAGE(double)
#undef GRAMIAN_LINKAGE

} // namespace gramian::linkage
