#include "core/svm/machine_rows.hpp"

#include "core/runtime/pool.hpp"

#include <algorithm>
#include <type_traits>

namespace gramian::svm {
namespace {

constexpr Index kAddBlock = 2048; // columns of the gradient that stay in the first cache
constexpr Index kBlocksOfThread = 4;

} // namespace

template <typename V>
MachineRows<V>::MachineRows(const Points& points, const Variables& variables, RowMemory<V>& memory,
                            Index cache, Index least)
    : points_(points), variables_(variables),
      columns_(points.columns(variables.machine.ids.data, variables.points)),
      cache_(memory, variables.points, padded(variables.points), cache, least,
             points.cheap_rows()) {}

// Finds the cached rows of some variables and reserves memory for the missing ones.
template <typename V>
void MachineRows<V>::find(const std::vector<std::int32_t>& working) {
    rows_.assign(working.size(), nullptr);
    missing_.clear();
    to_.clear();
    for (std::size_t k = 0; k < working.size(); ++k) {
        rows_[k] = cache_.find(variables_.point(working[k]));
    }
    for (std::size_t k = 0; k < working.size(); ++k) {
        const Index i = variables_.point(working[k]);
        if (rows_[k]) continue;
        rows_[k] = cache_.find(i); // made for the other variable of this point
        if (rows_[k]) continue;
        rows_[k] = cache_.make(i);
        missing_.push_back(static_cast<std::int32_t>(i));
        to_.push_back(rows_[k]);
    }
}

template <typename V>
const std::vector<V*>& MachineRows<V>::fetch(const std::vector<std::int32_t>& working) {
    find(working);
    if (!missing_.empty()) compute(missing_, to_);
    return rows_;
}

template <typename V>
void MachineRows<V>::add_changes(const std::vector<std::int32_t>& changed,
                                 const std::vector<double>& factors, double* g) {
    find(changed);
    if (!missing_.empty() && reads_shared()) {
        compute(missing_, to_);
        missing_.clear();
        to_.clear();
    }
    const Index count = static_cast<Index>(changed.size()), fresh = static_cast<Index>(to_.size());
    const Index width = static_cast<Index>(variables_.active.size());
    const std::vector<std::int32_t> ids = variables_.ids_of(missing_);
    const Index share = width / (kBlocksOfThread * runtime::num_threads());
    const runtime::Blocks blocks{width, std::clamp(padded(share), kColumnBlock, kAddBlock)};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            const Index begin = blocks.begin(b), end = blocks.end(b);
            if (fresh > 0) columns_->rows(points_, ids.data(), fresh, begin, end, to_.data());
            solver_kernels<V>().add_rows(rows_.data(), factors.data(), count, begin, end, g);
        },
        (4 * fresh + count) * width < 100000 ? 1 : 0);
    entries_ += fresh * width;
}

template <typename V>
void MachineRows<V>::compute(const std::vector<std::int32_t>& rows, const std::vector<V*>& to) {
    const Index count = static_cast<Index>(rows.size());
    const Index width = static_cast<Index>(variables_.active.size());
    const std::vector<std::int32_t> ids = variables_.ids_of(rows);
    if (reads_shared()) return compute_shared(rows, ids, to);
    const runtime::Blocks blocks{width, kColumnBlock};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            columns_->rows(points_, ids.data(), count, blocks.begin(b), blocks.end(b), to.data());
        },
        count * width < 20000 ? 1 : 0);
    entries_ += count * width;
}

// The same with precomputed values within a class.
template <typename V>
void MachineRows<V>::compute_shared(const std::vector<std::int32_t>& rows,
                                    const std::vector<std::int32_t>& ids,
                                    const std::vector<V*>& to) {
    const Index n = variables_.points;
    for (const SharedBlock& block : variables_.machine.shared) {
        std::vector<std::int32_t> some;
        std::vector<V*> out;
        for (std::size_t k = 0; k < rows.size(); ++k) {
            if (rows[k] < block.begin || rows[k] >= block.begin + block.size) continue;
            some.push_back(ids[k]);
            out.push_back(to[k]);
        }
        const Index count = static_cast<Index>(some.size());
        const Index first = block.begin / kPanel * kPanel, end = block.begin + block.size;
        const Index last = end / kPanel * kPanel;
        if (first > 0) columns_->rows(points_, some.data(), count, 0, first, out.data());
        if (block.begin > first) {
            columns_->rows(points_, some.data(), count, first, block.begin, out.data());
        }
        if (end < n) columns_->rows(points_, some.data(), count, last, n, out.data());
        entries_ += count * (n - block.size);
        for (std::size_t k = 0; k < rows.size(); ++k) {
            if (rows[k] < block.begin || rows[k] >= end) continue;
            const float* const from = block.values + (rows[k] - block.begin) * block.size;
            std::copy(from, from + block.size, to[k] + block.begin);
        }
    }
}

template <typename V>
void MachineRows<V>::add(const Columns& columns, const std::vector<std::int32_t>& points,
                         const std::vector<double>& factors, double* g) {
    const Index count = static_cast<Index>(points.size());
    if (count == 0) return;
    add_kernel_rows<V>(points_, columns, variables_.ids_of(points).data(), factors.data(), count,
                       g);
    entries_ += count * columns.size();
}

template <typename V>
void MachineRows<V>::add_all(double* g) {
    std::vector<std::int32_t> points;
    std::vector<double> values;
    for (Index i = 0; i < variables_.points; ++i) {
        const double b = variables_.value_of(i);
        if (b == 0) continue;
        points.push_back(static_cast<std::int32_t>(i));
        values.push_back(b);
    }
    if constexpr (std::is_same_v<V, double>) {
        const std::vector<std::int32_t> ids = variables_.ids_of(points);
        const Vector<const std::int32_t> rows{ids.data(), static_cast<Index>(ids.size())};
        if (points_.add_linear(rows, values.data(), variables_.machine.ids, g)) return;
    }
    add(*columns_, points, values, g);
}

template <typename V>
void MachineRows<V>::update_removed(Variables::RemovedPoints& out) {
    std::vector<std::int32_t> moved;
    std::vector<double> changes;
    for (std::size_t k = 0; k < out.movable.size(); ++k) {
        const double change = variables_.value_of(out.movable[k]) - out.values[k];
        if (change == 0) continue;
        moved.push_back(out.movable[k]);
        changes.push_back(change);
    }
    const Index count = static_cast<Index>(out.points.size());
    add(*points_.columns(variables_.ids_of(out.points).data(), count), moved, changes,
        out.gradient.data());
}

template <typename V>
void MachineRows<V>::shrink(const std::vector<std::int32_t>& columns) {
    const Index width = static_cast<Index>(columns.size());
    cache_.shrink(variables_.place, columns, padded(width));
    columns_ = points_.columns(variables_.ids_of(variables_.active).data(), width);
}

template <typename V>
void MachineRows<V>::restore() {
    cache_.clear();
    columns_ = points_.columns(variables_.machine.ids.data, variables_.points);
}

template class MachineRows<float>;
template class MachineRows<double>;

} // namespace gramian::svm
