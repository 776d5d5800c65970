#include "core/kernel_sums/expansions.hpp"

#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>

GRAMIAN_DISPATCH(kernel_sums, ExpandKernels, expand_kernels, expand_table)

namespace gramian::kernel_sums {
namespace {

constexpr double kSide = 1.05; // of a cell, in bandwidths
// Every group of queries visits all cells. They must be few compared with the rows that the group
// would visit in the tree, which lie in about kReached cells.
constexpr Index kRowsOfCell = 16;
constexpr double kReached[] = {20, 300, 3800};
// A cell with fewer rows has no polynomials: they would take more time and memory than the rows.
constexpr Index kFewestRows = 24, kTermsOfRow = 36;

// The bounding box of the rows and its division into cells.
struct GridLayout {
    double low[kMostExpanded], high[kMostExpanded];
    Index cells[kMostExpanded];
    Index count = 1; // 0: too many

    GridLayout(const Rows& rows, double side) {
        const Index dims = rows.tree.dims;
        std::fill(low, low + kMostExpanded, HUGE_VAL);
        std::fill(high, high + kMostExpanded, -HUGE_VAL);
        each(rows, [&](const double* x, Index) {
            for (Index j = 0; j < dims; ++j) {
                low[j] = std::min(low[j], x[j * rows.tree.capacity]);
                high[j] = std::max(high[j], x[j * rows.tree.capacity]);
            }
        });
        const double n = static_cast<double>(rows.tree.n);
        for (Index j = 0; j < dims; ++j) {
            const double wanted = (high[j] - low[j]) / side + 1;
            const double all = wanted * static_cast<double>(count);
            if (!(all * kRowsOfCell <= n && 5 * all * all <= n * kReached[dims - 1])) {
                count = 0;
                return;
            }
            cells[j] = static_cast<Index>(wanted);
            count *= cells[j];
        }
    }

    // take(point, place) for all rows that weigh anything; place counts the slots of all leaves.
    template <typename Take>
    static void each(const Rows& rows, const Take& take) {
        const Index capacity = rows.tree.capacity, leaves = Index{1} << rows.tree.levels;
        for (Index leaf = 0; leaf < leaves; ++leaf) {
            for (Index i = 0; i < capacity; ++i) {
                if (rows.weights[leaf * capacity + i] > 0) {
                    take(rows.points + leaf * rows.tree.dims * capacity + i, leaf * capacity + i);
                }
            }
        }
    }

    Index cell(const Rows& rows, const double* x) const {
        Index at = 0;
        for (Index j = 0; j < rows.tree.dims; ++j) {
            const double share = (x[j * rows.tree.capacity] - low[j]) / (high[j] - low[j]);
            const Index along =
                high[j] > low[j] ? static_cast<Index>(share * static_cast<double>(cells[j])) : 0;
            at = at * cells[j] + std::min(along, cells[j] - 1);
        }
        return at;
    }
};

// Copies a row from its leaf to place `at` of a block.
void copy_row(const Rows& rows, Index place, double* block, Index at) {
    const Index capacity = rows.tree.capacity, leaf = place / capacity, i = place % capacity;
    const Index dims = rows.tree.dims;
    for (Index j = 0; j < dims; ++j) {
        block[j * kBlockRows + at] = rows.points[(leaf * dims + j) * capacity + i];
    }
    block[dims * kBlockRows + at] = rows.weights[place];
    for (Index o = 0; o < rows.outputs; ++o) {
        block[(dims + 1 + o) * kBlockRows + at] =
            rows.values[(leaf * rows.outputs + o) * capacity + i];
    }
}

} // namespace

Grid make_grid(const Rows& rows, double scale) {
    const Index dims = rows.tree.dims;
    Grid grid{{}, {}, {}, std::sqrt(2 * scale)};
    const GridLayout layout(rows, kSide / grid.root);
    if (layout.count == 0) return grid;

    std::vector<Index> ends(static_cast<std::size_t>(layout.count) + 1), order;
    std::vector<std::pair<Index, Index>> found; // cell and place of each row
    GridLayout::each(rows, [&](const double* x, Index place) {
        found.push_back({layout.cell(rows, x), place});
        ++ends[found.back().first + 1];
    });
    for (Index c = 0; c < layout.count; ++c) ends[c + 1] += ends[c];
    order.resize(found.size());
    {
        std::vector<Index> next = ends;
        for (const auto& [cell, place] : found) order[next[cell]++] = place;
    }

    const Index block = size_of_block(dims, rows.outputs);
    Index n_blocks = 0, n_polynomials = 0;
    std::vector<Index> first_rows;
    for (Index c = 0; c < layout.count; ++c) {
        const Index size = ends[c + 1] - ends[c];
        if (size == 0) continue;
        const bool many = size >= kFewestRows && size * kTermsOfRow >= size_of_terms(dims);
        const Index place = many ? n_polynomials++ : -1;
        grid.cells.push_back({{}, 0, size, n_blocks, place, {}});
        first_rows.push_back(ends[c]);
        n_blocks += (size + kBlockRows - 1) / kBlockRows;
    }
    const Index polynomials = (1 + rows.outputs) * size_of_terms(dims);
    grid.blocks.resize(static_cast<std::size_t>(n_blocks * block));
    grid.polynomials.resize(static_cast<std::size_t>(n_polynomials * polynomials));
    runtime::parallel_for(static_cast<Index>(grid.cells.size()), [&](Index c) {
        Cell& cell = grid.cells[c];
        double* blocks = grid.blocks.data() + cell.first_block * block;
        const Index padded = (cell.rows + kBlockRows - 1) / kBlockRows * kBlockRows;
        for (Index i = 0; i < padded; ++i) {
            double* to = blocks + i / kBlockRows * block;
            copy_row(rows, order[first_rows[c] + std::min(i, cell.rows - 1)], to, i % kBlockRows);
            if (i >= cell.rows) to[dims * kBlockRows + i % kBlockRows] = 0;
        }
        for (Index j = 0; j < dims; ++j) {
            double low = HUGE_VAL, high = -HUGE_VAL;
            for (Index i = 0; i < padded; ++i) {
                const double x = blocks[i / kBlockRows * block + j * kBlockRows + i % kBlockRows];
                low = std::min(low, x);
                high = std::max(high, x);
            }
            cell.centre[j] = low + (high - low) / 2;
        }
        double* to = cell.polynomials < 0
                         ? nullptr
                         : grid.polynomials.data() + cell.polynomials * polynomials;
        expand_table().expand({dims, rows.outputs, grid.root, blocks, &cell, to});
    });
    return grid;
}

} // namespace gramian::kernel_sums
