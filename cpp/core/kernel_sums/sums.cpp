#include "core/kernel_sums/sums.hpp"

#include "core/kdtree/queue.hpp"
#include "core/runtime/isa.hpp"

#include <algorithm>
#include <vector>

GRAMIAN_DISPATCH(kernel_sums, SumKernels, sum_kernels, sum_table)

namespace gramian::kernel_sums {
namespace {

// Rows as their own queries: in the order of the tree.
kdtree::Queue own_queue(const kdtree::Tree<const double>& tree) {
    kdtree::Queue queue{std::vector<std::int32_t>(tree.order, tree.order + tree.n),
                        std::vector<std::int32_t>(static_cast<std::size_t>(tree.n))};
    const Index leaves = Index{1} << tree.levels;
    for (Index leaf = 0; leaf < leaves; ++leaf) {
        const auto begin = queue.leaves.begin();
        std::fill(begin + ((leaf * tree.n) >> tree.levels),
                  begin + (((leaf + 1) * tree.n) >> tree.levels), static_cast<std::int32_t>(leaf));
    }
    return queue;
}

} // namespace

void kernel_sums(const Rows& rows, Matrix<const double> queries, const Kernel& kernel,
                 const Task& task, Matrix<double> sums, Vector<double> references) {
    const kdtree::Tree<const double>& tree = rows.tree;
    const kdtree::Queue queue = task.own ? own_queue(tree) : kdtree::by_leaf(tree, queries);
    std::fill(sums.data, sums.data + sums.rows * sums.cols, 0.0);
    // An exponential costs about as much as eight features.
    const Index work = tree.dims + sums.cols + 8 * kernel.count();
    const runtime::Blocks blocks = kdtree::query_blocks(tree, queries.rows, work);
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            const Index dims = tree.dims;
            std::vector<double> query(static_cast<std::size_t>(kdtree::kQueryGroup * 4 * dims));
            std::vector<double> room(static_cast<std::size_t>((2 * dims + 3) * tree.capacity));
            std::vector<kdtree::OpenBoxes> open(static_cast<std::size_t>(tree.levels + 1));
            std::vector<kdtree::OpenBox> nearer(static_cast<std::size_t>(tree.levels + 1));
            sum_table().sums({rows, kernel, task, queries.data, queue.rows.data(),
                              queue.leaves.data(), blocks.begin(b), blocks.end(b) - blocks.begin(b),
                              sums.data, references.data, query.data(), room.data(), open.data(),
                              nearer.data()});
        },
        kdtree::threads_for(tree, queries.rows));
}

} // namespace gramian::kernel_sums
