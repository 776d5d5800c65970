// Kernel rows of the points of a machine at its active points. They are cached while there is room,
// copied from values that machines share if there are some, and computed otherwise.
#pragma once

#include "core/svm/row_cache.hpp"
#include "core/svm/variables.hpp"

namespace gramian::svm {

template <typename V>
class MachineRows {
public:
    // Caches `cache` values, but at least `least` rows.
    MachineRows(const Points& points, const Variables& variables, RowMemory<V>& memory, Index cache,
                Index least);

    // Rows of the points of some variables; valid until the next call.
    const std::vector<V*>& fetch(const std::vector<std::int32_t>& working);
    // g[j] += sum_k factors[k] k(point of changed[k], x_j) for the active points; rows that are not
    // at hand are computed, and added while they are in the cache of the processor.
    void add_changes(const std::vector<std::int32_t>& changed, const std::vector<double>& factors,
                     double* g);
    // g[j] += sum_i b_i k(x_i, x_j) for all points, all of which are active.
    void add_all(double* g);
    // Updates the gradients of removed points.
    void update_removed(Variables::RemovedPoints& out);
    // To be called after points were removed; `columns` of the earlier active points remain.
    void shrink(const std::vector<std::int32_t>& columns);
    // To be called after all points were restored.
    void restore();

    // Whether the rows have a column for every point.
    bool whole() const { return columns_->size() == variables_.points; }
    Index entries() const { return entries_; } // kernel values computed

private:
    void add(const Columns& columns, const std::vector<std::int32_t>& points,
             const std::vector<double>& factors, double* g);
    bool reads_shared() const {
        return sizeof(V) == sizeof(float) && !variables_.machine.shared.empty() &&
               !variables_.is_shrunk();
    }
    void find(const std::vector<std::int32_t>& working);
    void compute(const std::vector<std::int32_t>& rows, const std::vector<V*>& to);
    void compute_shared(const std::vector<std::int32_t>& rows, const std::vector<std::int32_t>& ids,
                        const std::vector<V*>& to);

    const Points& points_;
    const Variables& variables_;
    std::unique_ptr<Columns> columns_; // the active points
    RowCache<V> cache_;
    std::vector<V*> rows_;              // of the last variables asked for
    std::vector<std::int32_t> missing_; // points of those of these rows that are to be computed
    std::vector<V*> to_;
    Index entries_ = 0;
};

} // namespace gramian::svm
