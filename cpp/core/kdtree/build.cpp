#include "core/kdtree/search.hpp"
#include "core/runtime/check.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace gramian::kdtree {
namespace {

// The top of the tree is built one level at a time. Below it, each subtree is one block of work.
constexpr Index kTopLevels = 6;
constexpr Index kSample = 1024;
constexpr Index kSampleMargin = 64; // four standard deviations of a median's rank in the sample

// The value of the given rank (from 0) among values[0 .. n). A sample brackets it, so that one
// pass leaves few candidates (Floyd and Rivest, CACM 18(3), 1975).
template <typename T>
T select(const T* values, Index n, Index rank, std::vector<T>& scratch) {
    if (n > 8 * kSample) {
        T sample[kSample];
        for (Index s = 0; s < kSample; ++s) sample[s] = values[s * n / kSample];
        std::sort(sample, sample + kSample);
        const Index middle = rank * kSample / n;
        const T low = sample[std::max<Index>(middle - kSampleMargin, 0)];
        const T high = sample[std::min(middle + kSampleMargin, kSample - 1)];
        scratch.resize(static_cast<std::size_t>(n));
        Index below = 0, inside = 0;
        for (Index i = 0; i < n; ++i) {
            const T v = values[i];
            scratch[static_cast<std::size_t>(inside)] = v;
            below += v < low;
            inside += (v >= low) & (v <= high);
        }
        if (below <= rank && rank < below + inside) {
            std::nth_element(scratch.begin(), scratch.begin() + (rank - below),
                             scratch.begin() + inside);
            return scratch[static_cast<std::size_t>(rank - below)];
        }
    }
    scratch.assign(values, values + n);
    std::nth_element(scratch.begin(), scratch.begin() + rank, scratch.end());
    return scratch[static_cast<std::size_t>(rank)];
}

// The greatest float that does not exceed x.
template <typename T>
float at_most(T x) {
    const float rounded = static_cast<float>(x);
    return rounded <= x ? rounded : std::nextafter(rounded, -HUGE_VALF);
}

// D is the number of features, or 0 when it is known only at run time.
template <typename T, int D>
struct Builder {
    const Tree<T>& tree;

    struct Scratch {
        std::vector<T> low, high, values, selection;
        std::vector<std::int32_t> right;
    };

    Index dims() const { return D ? D : tree.dims; }
    const T* row(Index i) const { return tree.X + i * dims(); }

    Index begin(Index node, Index level) const {
        return ((node - (Index{1} << level)) * tree.n) >> level;
    }

    // The bounding box of the points, stored next to the sibling's in the parent's row.
    void bound(Index node, const std::int32_t* order, Index size, Scratch& s) const {
        s.low.assign(static_cast<std::size_t>(dims()), std::numeric_limits<T>::infinity());
        s.high.assign(static_cast<std::size_t>(dims()), -std::numeric_limits<T>::infinity());
        T* low = s.low.data();
        T* high = s.high.data();
        for (Index i = 0; i < size; ++i) {
            const T* x = row(order[i]);
            for (Index j = 0; j < dims(); ++j) {
                low[j] = x[j] < low[j] ? x[j] : low[j];
                high[j] = x[j] > high[j] ? x[j] : high[j];
            }
        }
        float* box = tree.boxes + node / 2 * dims() * 4 + node % 2;
        for (Index j = 0; j < dims(); ++j) {
            box[4 * j] = at_most(low[j]);
            box[4 * j + 2] = at_most(-high[j]);
        }
    }

    // Splits a node whose rows are in ascending order. The rows of its children are, too.
    void divide(Index node, Index level, Scratch& s) const {
        const Index from = begin(node, level), size = begin(node + 1, level) - from;
        std::int32_t* order = tree.order + from;
        tree.first[node] = order[0];
        bound(node, order, size, s);
        if (level == tree.levels) return;

        Index widest = 0;
        for (Index j = 1; j < dims(); ++j) {
            if (s.high[j] - s.low[j] > s.high[widest] - s.low[widest]) widest = j;
        }
        s.values.resize(static_cast<std::size_t>(size));
        for (Index i = 0; i < size; ++i) s.values[i] = row(order[i])[widest];
        const Index left_size = begin(2 * node + 1, level + 1) - from;
        const T split = select(s.values.data(), size, left_size - 1, s.selection);
        tree.feature[node] = static_cast<std::int32_t>(widest);
        tree.value[node] = split;

        // Of the rows equal to the median, the first ones fill the left side.
        Index equal_left = left_size;
        for (Index i = 0; i < size; ++i) equal_left -= s.values[i] < split;
        s.right.resize(static_cast<std::size_t>(size));
        Index left = 0, right = 0;
        for (Index i = 0; i < size; ++i) {
            const T v = s.values[i];
            const std::int32_t row = order[i];
            const bool tie_left = (v == split) & (equal_left > 0);
            const bool goes_left = (v < split) | tie_left;
            equal_left -= tie_left;
            order[left] = row;
            s.right[right] = row;
            left += goes_left;
            right += !goes_left;
        }
        std::copy_n(s.right.data(), right, order + left);
    }

    void divide_subtree(Index node, Index level, Scratch& s) const {
        divide(node, level, s);
        if (level == tree.levels) return;
        divide_subtree(2 * node, level + 1, s);
        divide_subtree(2 * node + 1, level + 1, s);
    }

    // The single precision copy of a leaf, relative to the low corner of its box.
    void pack(Index leaf) const {
        const Index node = (Index{1} << tree.levels) + leaf;
        const Index from = begin(node, tree.levels), size = begin(node + 1, tree.levels) - from;
        const float* box = tree.boxes + node / 2 * dims() * 4 + node % 2;
        float* points = tree.points + leaf * dims() * tree.capacity;
        double spread = 0;
        for (Index j = 0; j < dims(); ++j) {
            const double low = box[4 * j], high = -box[4 * j + 2];
            spread += high - low;
            float* feature = points + j * tree.capacity;
            for (Index i = 0; i < size; ++i) {
                feature[i] = static_cast<float>(row(tree.order[from + i])[j] - low);
            }
            std::fill(feature + size, feature + tree.capacity, 0.0f);
        }
        tree.spread[leaf] = static_cast<float>(spread * (1 + 1e-6));
    }

    // Entries of no node are 0, so that equal trees have equal arrays.
    void clear_unused() const {
        for (Index j = 0; j < dims(); ++j) tree.boxes[4 * j] = tree.boxes[4 * j + 2] = 0;
        tree.feature[0] = tree.first[0] = 0;
        tree.value[0] = 0;
    }

    void build() const {
        std::iota(tree.order, tree.order + tree.n, 0);
        clear_unused();
        const int threads = tree.n * dims() < 4096 ? 1 : 0;
        const Index top = std::min(kTopLevels, tree.levels);
        for (Index level = 0; level < top; ++level) {
            const Index nodes = Index{1} << level;
            runtime::parallel_for(
                nodes,
                [&](Index b) {
                    Scratch scratch;
                    divide(nodes + b, level, scratch);
                },
                threads);
        }
        const Index subtrees = Index{1} << top;
        runtime::parallel_for(
            subtrees,
            [&](Index b) {
                Scratch scratch;
                divide_subtree(subtrees + b, top, scratch);
            },
            threads);
        const runtime::Blocks leaves{Index{1} << tree.levels, 64};
        runtime::parallel_for(
            leaves.count(),
            [&](Index b) {
                for (Index leaf = leaves.begin(b); leaf < leaves.end(b); ++leaf) pack(leaf);
            },
            threads);
    }
};

} // namespace

Shape shape_of(Index n, Index leaf_size) {
    leaf_size = std::max<Index>(leaf_size, 2);
    Index levels = 0, largest = n;
    while (largest > leaf_size) {
        ++levels;
        largest = (n + (Index{1} << levels) - 1) >> levels;
    }
    return {levels, (largest + kLeafPad - 1) / kLeafPad * kLeafPad};
}

template <typename T>
void build(const Tree<T>& tree) {
    runtime::require_rows_in_32_bits(tree.n, "k-d tree");
    switch (tree.dims) {
    case 2:
        return Builder<T, 2>{tree}.build();
    case 3:
        return Builder<T, 3>{tree}.build();
    case 4:
        return Builder<T, 4>{tree}.build();
    default:
        return Builder<T, 0>{tree}.build();
    }
}

template void build(const Tree<float>&);
template void build(const Tree<double>&);

} // namespace gramian::kdtree
