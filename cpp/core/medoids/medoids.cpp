#include "core/medoids/medoids.hpp"
#include "core/medoids/swap_filter.hpp"
#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

GRAMIAN_DISPATCH(medoids, MedoidKernels, medoid_kernel_table, medoid_kernels)

namespace gramian::medoids {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();
constexpr Index kMostTrials = 32;   // evaluated in parallel
constexpr double kRounding = 1e-13; // relative change of the objective that counts as rounding

const double* pointer(Vector<const double> weights) {
    return weights.size > 0 ? weights.data : nullptr;
}

int threads_for(const Objects& objects, Index rows) {
    return objects.size() * rows * (objects.measured() ? 4 : 1) < 50000 ? 1 : 0;
}

} // namespace

const double* Objects::row(Index j, double* buffer) const {
    if (!measured()) return D_.row(j);
    const linkage::LinkageKernels& kernels = linkage::linkage_kernels();
    std::vector<double> query(static_cast<std::size_t>(d_));
    for (Index t = 0; t < d_; ++t) query[t] = columns_.at(t)[j];
    kernels.squares(columns_.values.data(), columns_.stride, n_, d_, query.data(), buffer);
    kernels.roots(buffer, n_);
    return buffer;
}

double Objects::dissimilarity(Index i, Index j) const {
    if (!measured()) return D_(i, j);
    double square = 0;
    for (Index t = 0; t < d_; ++t) {
        const double gap = columns_.at(t)[i] - columns_.at(t)[j];
        square += gap * gap;
    }
    return std::sqrt(square);
}

Medoids::Medoids(const Objects& objects, Vector<const double> weights, Vector<std::int32_t> medoids,
                 Assignment assignment)
    : objects_(objects), weights_(weights), medoids_(medoids), assignment_(assignment),
      own_rows_(static_cast<std::size_t>(objects.measured() ? medoids.size : 0)),
      rows_(static_cast<std::size_t>(medoids.size)), losses_(rows_.size()),
      is_medoid_(static_cast<std::size_t>(objects.size())) {
    const Index n = objects.size();
    for (Index m = 0; m < medoids.size; ++m) {
        load_medoid_row(static_cast<std::int32_t>(m));
        is_medoid_[medoids[m]] = 1;
    }
    const runtime::Blocks blocks{n, 2048};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            for (Index o = blocks.begin(b); o < blocks.end(b); ++o) search(o);
        },
        threads_for(objects, medoids.size));
    if (objects.measured() && medoids.size > 1) {
        filter_ = std::make_unique<SwapFilter>(objects.coarse(), n, objects.dims());
    }
    update_losses();
}

Medoids::~Medoids() = default;

// Measures the row of a medoid.
void Medoids::load_medoid_row(std::int32_t place) {
    double* buffer = nullptr;
    if (objects_.measured()) {
        own_rows_[place].resize(static_cast<std::size_t>(objects_.room()));
        buffer = own_rows_[place].data();
    }
    rows_[place] = objects_.row(medoids_[place], buffer);
}

// The nearest two of all medoids; the first among equals.
void Medoids::search(Index o) {
    std::int32_t nearest = 0, second = 0;
    double first_distance = kFar, second_distance = kFar;
    for (std::int32_t m = 0; m < static_cast<std::int32_t>(medoids_.size); ++m) {
        const double d = medoid_row(m)[o];
        if (d < first_distance) {
            second = nearest;
            second_distance = first_distance;
            nearest = m;
            first_distance = d;
        } else if (d < second_distance) {
            second = m;
            second_distance = d;
        }
    }
    assignment_.nearest[o] = nearest;
    assignment_.second[o] = second;
    assignment_.first_distance[o] = first_distance;
    assignment_.second_distance[o] = second_distance;
}

// Recomputes the losses from the nearest two medoids of all objects.
void Medoids::update_losses() {
    const Index n = objects_.size();
    std::fill(losses_.begin(), losses_.end(), 0.0);
    if (medoids_.size == 1) return;
    for (Index o = 0; o < n; ++o) {
        losses_[assignment_.nearest[o]] +=
            weight(o) * (assignment_.second_distance[o] - assignment_.first_distance[o]);
    }
    if (filter_) filter_->set_assignment(assignment_, weights_);
}

double Medoids::objective() const {
    return medoid_kernels().sum(assignment_.first_distance.data, pointer(weights_),
                                objects_.size());
}

// Whether no swap with the candidate lowers the objective below the (negative) threshold. Medoids
// are ruled out.
bool Medoids::is_ruled_out(Index candidate, double threshold) const {
    if (is_medoid_[candidate]) return true;
    return filter_ && filter_->least_change(candidate, losses_) > threshold;
}

// The rounding error of a change, which is a sum over distances to the second nearest medoids. With
// as many medoids as distinct objects the objective is 0, but a computed change may not be.
double Medoids::least_improvement(double objective) const {
    return kRounding * std::accumulate(losses_.begin(), losses_.end(), objective);
}

Medoids::Trial Medoids::trial(Index candidate) const {
    const Index n = objects_.size();
    std::vector<double> buffer(static_cast<std::size_t>(objects_.measured() ? objects_.room() : 0));
    const double* const row = objects_.row(candidate, buffer.data());
    if (medoids_.size == 1) {
        return {medoid_kernels().sum(row, pointer(weights_), n) - objective(), 0};
    }
    std::vector<double> changes(losses_);
    const TrialCall call{pointer(weights_),
                         assignment_.nearest.data,
                         assignment_.first_distance.data,
                         assignment_.second_distance.data,
                         n,
                         changes.data()};
    const double gained = medoid_kernels().trial(call, row);
    const auto best = std::min_element(changes.begin(), changes.end());
    return {*best + gained, static_cast<std::int32_t>(best - changes.begin())};
}

void Medoids::swap(std::int32_t place, Index candidate) {
    is_medoid_[medoids_[place]] = 0;
    is_medoid_[candidate] = 1;
    medoids_[place] = static_cast<std::int32_t>(candidate);
    load_medoid_row(place);
    const double* const row = medoid_row(place);
    for (Index o = 0; o < objects_.size(); ++o) {
        const double d = row[o];
        if (assignment_.nearest[o] == place) {
            if (d < assignment_.second_distance[o]) {
                assignment_.first_distance[o] = d;
            } else {
                search(o);
            }
        } else if (d < assignment_.first_distance[o]) {
            assignment_.second[o] = assignment_.nearest[o];
            assignment_.second_distance[o] = assignment_.first_distance[o];
            assignment_.nearest[o] = place;
            assignment_.first_distance[o] = d;
        } else if (d < assignment_.second_distance[o]) {
            assignment_.second[o] = place;
            assignment_.second_distance[o] = d;
        } else if (assignment_.second[o] == place) {
            search(o);
        }
    }
    update_losses();
}

Sweep Medoids::sweep(Index from, Index count, Index quiet) {
    const Index n = objects_.size();
    const Index fewest = std::min<Index>(runtime::num_threads(), 2);
    std::vector<Trial> trials(kMostTrials);
    Index swaps = 0, at = from, batch = fewest;
    bool grouped = false;
    double objective = this->objective();
    while (count > 0 && quiet < n) {
        runtime::poll_interrupt();
        if (filter_ && !grouped && batch == kMostTrials) {
            filter_->group_by_medoid(assignment_.nearest, medoids_.size);
            filter_->set_assignment(assignment_, weights_);
            grouped = true;
        }
        const double threshold = -least_improvement(objective);
        const Index number = std::min({batch, count, n - quiet});
        runtime::parallel_for(
            number,
            [&](Index i) {
                const Index candidate = (at + i) % n;
                trials[i] = is_ruled_out(candidate, threshold) ? Trial{0.0, 0} : trial(candidate);
            },
            threads_for(objects_, number));
        Index accepted = 0;
        while (accepted < number && !(trials[accepted].change < threshold)) ++accepted;
        const bool improves = accepted < number;
        const Index seen = improves ? accepted + 1 : number;
        if (improves) {
            swap(trials[accepted].place, (at + accepted) % n);
            objective = this->objective();
            ++swaps;
            quiet = 0;
            batch = fewest;
            grouped = false;
        } else {
            quiet += number;
            batch = std::min(2 * batch, kMostTrials);
        }
        at = (at + seen) % n;
        count -= seen;
    }
    return {swaps, at, quiet, objective};
}

void build(const Objects& objects, Vector<const double> weights, Vector<std::int32_t> medoids) {
    const Index n = objects.size();
    std::vector<double> first(static_cast<std::size_t>(n), kFar), scores(first.size());
    std::vector<char> is_medoid(first.size());
    std::vector<double> own(static_cast<std::size_t>(objects.room()));
    const runtime::Blocks blocks{n, 16};
    for (Index m = 0; m < medoids.size; ++m) {
        runtime::parallel_for(
            blocks.count(),
            [&](Index b) {
                std::vector<double> buffer(
                    static_cast<std::size_t>(objects.measured() ? objects.room() : 0));
                for (Index c = blocks.begin(b); c < blocks.end(b); ++c) {
                    const double* const row = objects.row(c, buffer.data());
                    scores[c] = m == 0
                                    ? -medoid_kernels().sum(row, pointer(weights), n)
                                    : medoid_kernels().gain(row, pointer(weights), first.data(), n);
                }
            },
            threads_for(objects, n));
        Index best = -1;
        for (Index c = 0; c < n; ++c) {
            if (!is_medoid[c] && (best < 0 || scores[c] > scores[best])) best = c;
        }
        medoids[m] = static_cast<std::int32_t>(best);
        is_medoid[best] = 1;
        const double* const row = objects.row(best, own.data());
        for (Index o = 0; o < n; ++o) first[o] = std::min(first[o], row[o]);
    }
}

void build_from_samples(const Objects& objects, Vector<const double> weights,
                        Matrix<const std::int32_t> samples, Vector<std::int32_t> medoids) {
    const Index n = objects.size();
    std::vector<double> first(static_cast<std::size_t>(n), kFar);
    std::vector<double> own(static_cast<std::size_t>(objects.room()));
    std::vector<char> is_medoid(first.size());
    for (Index m = 0; m < medoids.size; ++m) {
        runtime::poll_interrupt();
        Index best = -1;
        double most = -kFar;
        for (Index s = 0; s < samples.cols; ++s) {
            const Index candidate = samples(m, s);
            if (is_medoid[candidate]) continue;
            double score = 0;
            for (Index other = 0; other < samples.cols; ++other) {
                const Index o = samples(m, other);
                const double d = objects.dissimilarity(candidate, o);
                const double w = weights.size > 0 ? weights[o] : 1.0;
                score += m == 0 ? -w * d : w * std::max(0.0, first[o] - d);
            }
            if (score > most) {
                most = score;
                best = candidate;
            }
        }
        for (Index c = 0; best < 0; ++c) {
            if (!is_medoid[c]) best = c; // all of the sample are medoids
        }
        medoids[m] = static_cast<std::int32_t>(best);
        is_medoid[best] = 1;
        const double* const row = objects.row(best, own.data());
        for (Index o = 0; o < n; ++o) first[o] = std::min(first[o], row[o]);
    }
}

} // namespace gramian::medoids
