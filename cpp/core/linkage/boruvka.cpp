#include "core/kdtree/search.hpp"
#include "core/linkage/linkage.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace gramian::linkage {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();
constexpr Index kParts = 64; // of the leaves: fixed, so that results do not depend on the threads

// Boruvka's algorithm: in each round every component chooses a shortest edge to another one, and
// these edges join the components; at most log2(n) rounds. Chosen edges that would close a cycle
// are dropped: they are as long as the others of the cycle.
//
// A row stores its nearest row of another component. After that row has joined its own component,
// the distance is a lower bound. The row is searched again only if the bound is below the shortest
// known edge of its component. All data except the written edges are by positions in the order of
// the tree's leaves.
template <typename T>
class Boruvka {
public:
    Boruvka(const kdtree::Tree<const T>& tree, Vector<const double> core)
        : order_(tree.order), tree_(tree), leaves_(Index{1} << tree.levels), count_(tree.n),
          component_(static_cast<std::size_t>(tree.n)), nearest_(component_.size(), -1),
          bound_(component_.size()), cores_(core.size > 0 ? component_.size() : 0),
          component_of_node_(static_cast<std::size_t>(2 * leaves_)) {
        std::iota(component_.begin(), component_.end(), 0);
        identity_ = component_;
        rows_.reserve(static_cast<std::size_t>(tree.n * tree.dims));
        for (Index i = 0; i < tree.n; ++i) {
            const T* const row = tree.X + tree.order[i] * tree.dims;
            rows_.insert(rows_.end(), row, row + tree.dims);
        }
        tree_.X = rows_.data();
        tree_.order = identity_.data();
        for (Index i = 0; i < core.size; ++i) {
            const double own = core[order_[i]];
            bound_[i] = cores_[i] = own * own;
        }
    }

    void run(Matrix<double> edges) {
        Index written = 0;
        while (count_ > 1) {
            label_nodes();
            search();
            written = join(edges, written);
        }
    }

private:
    Index leaf_begin(Index leaf) const { return (leaf * tree_.n) >> tree_.levels; }

    // Whether the stored nearest row still belongs to another component.
    bool has_valid_nearest(Index i) const {
        return nearest_[i] >= 0 && component_[nearest_[i]] != component_[i];
    }

    void label_nodes() {
        for (Index leaf = 0; leaf < leaves_; ++leaf) {
            const Index begin = leaf_begin(leaf), end = leaf_begin(leaf + 1);
            std::int32_t label = component_[begin];
            for (Index i = begin; i < end; ++i) {
                if (component_[i] != label) label = -1;
            }
            component_of_node_[leaves_ + leaf] = label;
        }
        for (Index node = leaves_ - 1; node > 0; --node) {
            const std::int32_t left = component_of_node_[2 * node];
            component_of_node_[node] = left == component_of_node_[2 * node + 1] ? left : -1;
        }
    }

    void search() {
        std::vector<double> shortest(static_cast<std::size_t>(count_), kNone);
        for (Index i = 0; i < tree_.n; ++i) {
            double& known = shortest[component_[i]];
            if (has_valid_nearest(i)) known = std::min(known, bound_[i]);
        }
        runtime::parallel_for(
            kParts,
            [&](Index p) {
                search_part(shortest, leaves_ * p / kParts, leaves_ * (p + 1) / kParts);
            },
            tree_.n < 500 ? 1 : 0);
    }

    // Each part starts from the edges known before the round.
    void search_part(std::vector<double> shortest, Index first, Index last) {
        std::vector<double> query(static_cast<std::size_t>(4 * tree_.dims));
        std::vector<float> shifted(static_cast<std::size_t>(tree_.dims));
        std::vector<kdtree::OpenBox> open(static_cast<std::size_t>(2 * tree_.levels + 2));
        const kdtree::OtherComponentCall<T> call{component_.data(),
                                                 component_of_node_.data(),
                                                 cores_.empty() ? nullptr : cores_.data(),
                                                 query.data(),
                                                 shifted.data(),
                                                 open.data()};
        for (Index leaf = first; leaf < last; ++leaf) {
            runtime::poll_interrupt();
            for (Index i = leaf_begin(leaf); i < leaf_begin(leaf + 1); ++i) {
                double& limit = shortest[component_[i]];
                if (has_valid_nearest(i) || bound_[i] >= limit) continue;
                nearest_[i] = static_cast<std::int32_t>(
                    kdtree::nearest_of_other_component<T>(tree_, call, i, leaf, &limit));
                bound_[i] = limit; // that of the nearest, or none is below
            }
        }
    }

    Index join(Matrix<double> edges, Index written) {
        std::vector<Index> chosen(static_cast<std::size_t>(count_), -1);
        for (Index i = 0; i < tree_.n; ++i) {
            Index& best = chosen[component_[i]];
            if (has_valid_nearest(i) && (best < 0 || bound_[i] < bound_[best])) best = i;
        }
        std::vector<std::int32_t> parent(chosen.size());
        std::iota(parent.begin(), parent.end(), 0);
        const auto find = [&](std::int32_t c) {
            while (parent[c] != c) c = parent[c] = parent[parent[c]];
            return c;
        };
        for (const Index i : chosen) {
            const std::int32_t a = find(component_[i]), b = find(component_[nearest_[i]]);
            if (a == b) continue;
            parent[std::max(a, b)] = std::min(a, b);
            edges(written, 0) = order_[i];
            edges(written, 1) = order_[nearest_[i]];
            edges(written, 2) = std::sqrt(bound_[i]);
            ++written;
        }
        std::vector<std::int32_t> label(chosen.size());
        count_ = 0;
        for (std::size_t c = 0; c < parent.size(); ++c) { // a parent is never the higher one
            const bool root = parent[c] == static_cast<std::int32_t>(c);
            label[c] = root ? static_cast<std::int32_t>(count_++) : label[parent[c]];
        }
        for (std::int32_t& own : component_) own = label[own];
        return written;
    }

    const std::int32_t* order_;
    kdtree::Tree<const T> tree_; // over rows_, which lie as its leaves do
    Index leaves_, count_;       // count: of components
    std::vector<T> rows_;
    std::vector<std::int32_t> identity_; // 0 .. n - 1, the order of rows_
    std::vector<std::int32_t> component_, nearest_;
    std::vector<double> bound_; // squared, of the nearest row of another component
    std::vector<double> cores_;
    std::vector<std::int32_t> component_of_node_;
};

} // namespace

template <typename T>
void kdtree_spanning_tree(const kdtree::Tree<const T>& tree, Vector<const double> core,
                          Matrix<double> edges) {
    Boruvka<T>(tree, core).run(edges);
}

template void kdtree_spanning_tree(const kdtree::Tree<const float>&, Vector<const double>,
                                   Matrix<double>);
template void kdtree_spanning_tree(const kdtree::Tree<const double>&, Vector<const double>,
                                   Matrix<double>);

} // namespace gramian::linkage
