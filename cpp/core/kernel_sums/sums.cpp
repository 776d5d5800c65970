#include "core/kernel_sums/sums.hpp"

#include "core/kdtree/query_order.hpp"
#include "core/kernel_sums/expansions.hpp"
#include "core/runtime/isa.hpp"

#include <algorithm>
#include <limits>
#include <vector>

GRAMIAN_DISPATCH(kernel_sums, SumKernels, sum_kernels, sum_table)

namespace gramian::kernel_sums {
namespace {

// Rows as their own queries: in the order of the tree.
kdtree::QueryOrder tree_order(const kdtree::Tree<const double>& tree) {
    kdtree::QueryOrder query_rows{std::vector<std::int32_t>(tree.order, tree.order + tree.n),
                                  std::vector<std::int32_t>(static_cast<std::size_t>(tree.n))};
    const Index leaves = Index{1} << tree.levels;
    for (Index leaf = 0; leaf < leaves; ++leaf) {
        const auto begin = query_rows.leaves.begin();
        std::fill(begin + ((leaf * tree.n) >> tree.levels),
                  begin + (((leaf + 1) * tree.n) >> tree.levels), static_cast<std::int32_t>(leaf));
    }
    return query_rows;
}

// Up to kMost boxes of one level of the tree.
struct BoxMomentArrays {
    std::vector<double> values;
    Index size = 0;
    Index dims = 0;

    BoxMomentArrays() = default;
    explicit BoxMomentArrays(const Rows& rows) : dims(rows.tree.dims) {
        constexpr Index kMost = 64;
        const Index leaves = Index{1} << rows.tree.levels, capacity = rows.tree.capacity;
        const Index count = std::min(leaves, kMost), each = leaves / count;
        size = (count + kdtree::kLeafPad - 1) / kdtree::kLeafPad * kdtree::kLeafPad;
        values.assign(static_cast<std::size_t>((dims + 2) * size), 0.0);
        double* spread = values.data() + dims * size;
        double* weight = spread + size;
        for (Index c = 0; c < count; ++c) {
            const double* w = rows.weights + c * each * capacity;
            for (Index i = 0; i < each * capacity; ++i) weight[c] += w[i];
            for (Index j = 0; j < dims && weight[c] > 0; ++j) {
                const auto mean_of = [&](auto&& term) {
                    double total = 0;
                    for (Index leaf = c * each; leaf < (c + 1) * each; ++leaf) {
                        const double* x = rows.points + (leaf * dims + j) * capacity;
                        const double* of = rows.weights + leaf * capacity;
                        for (Index i = 0; i < capacity; ++i) total += of[i] * term(x[i]);
                    }
                    return total / weight[c];
                };
                const double mean = mean_of([](double x) { return x; });
                values[static_cast<std::size_t>(j * size + c)] = mean;
                spread[c] += mean_of([mean](double x) { return (x - mean) * (x - mean); });
            }
        }
    }
    BoxMoments view() const {
        const double* spread = values.data() + dims * size;
        return {size, values.data(), spread, spread + size};
    }
};

double least_weight(const Rows& rows) {
    const Index count = rows.tree.capacity << rows.tree.levels;
    double least = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < count; ++i) {
        if (rows.weights[i] > 0) least = std::min(least, rows.weights[i]);
    }
    return least;
}

// Whether enough queries share the polynomials of a Gaussian kernel of one bandwidth.
bool pays_to_expand(const Rows& rows, Index queries, const Kernel& kernel, const Task& task) {
    constexpr Index kFewestQueries = 512, kFewestRows = 4096;
    return kernel.shape == Shape::exponential && kernel.squared && kernel.p == 2 && !kernel.each &&
           kernel.scales.size == 1 && !task.local_linear && !task.leave_one_out &&
           rows.tree.dims <= kMostExpanded && queries >= kFewestQueries &&
           rows.tree.n >= kFewestRows;
}

} // namespace

void kernel_sums(const Rows& rows, Matrix<const double> queries, const Kernel& kernel,
                 const Task& task, Matrix<double> sums, Vector<double> references) {
    const kdtree::Tree<const double>& tree = rows.tree;
    const kdtree::QueryOrder query_rows =
        task.leave_one_out ? tree_order(tree) : kdtree::sort_by_leaf(tree, queries);
    std::fill(sums.data, sums.data + sums.rows * sums.cols, 0.0);
    // An exponential costs about as much as eight features.
    const Index work = tree.dims + sums.cols + 8 * kernel.count();
    runtime::Blocks blocks = kdtree::query_blocks(tree, queries.rows, work);
    Grid grid{};
    if (pays_to_expand(rows, queries.rows, kernel, task)) grid = make_grid(rows, kernel.scales[0]);
    const Index group = grid.cells.empty() && blocks.size >= kMostGroup ? kMostGroup : kGridGroup;
    blocks.size = (blocks.size + group - 1) / group * group;
    const double least = least_weight(rows);
    const bool gaussian = kernel.shape == Shape::exponential && kernel.squared && kernel.p == 2;
    BoxMomentArrays box_moments;
    if (gaussian && !task.leave_one_out) box_moments = BoxMomentArrays(rows);
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            const Index dims = tree.dims;
            std::vector<double> query(static_cast<std::size_t>(group * 4 * dims));
            std::vector<double> interleaved(static_cast<std::size_t>(group * dims));
            std::vector<double> scratch(
                static_cast<std::size_t>((2 * dims + 6) * std::max(tree.capacity, kBlockRows)));
            std::vector<double> reaches(static_cast<std::size_t>(group * kernel.count()));
            std::vector<SharedBox> open(static_cast<std::size_t>(tree.levels + 1));
            std::vector<kdtree::OpenBox> nearer(static_cast<std::size_t>(tree.levels + 1));
            sum_table().sums({rows,
                              kernel,
                              task,
                              grid.view(),
                              box_moments.view(),
                              least,
                              queries.data,
                              query_rows.rows.data(),
                              query_rows.leaves.data(),
                              blocks.begin(b),
                              blocks.end(b) - blocks.begin(b),
                              group,
                              sums.data,
                              references.data,
                              query.data(),
                              interleaved.data(),
                              scratch.data(),
                              reaches.data(),
                              open.data(),
                              nearer.data()});
        },
        kdtree::threads_for(tree, queries.rows));
}

} // namespace gramian::kernel_sums
