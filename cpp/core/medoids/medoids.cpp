#include "core/medoids/medoids.hpp"
#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

GRAMIAN_DISPATCH(medoids, MedoidKernels, medoid_kernel_table, medoid_kernels)

namespace gramian::medoids {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();
constexpr Index kMostTrials = 32;   // side by side
constexpr double kRounding = 1e-13; // of the objective: what is less is no improvement

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

double Objects::between(Index i, Index j) const {
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
    : objects_(objects), weights_(weights), medoids_(medoids), to_(assignment),
      own_rows_(static_cast<std::size_t>(objects.measured() ? medoids.size : 0)),
      rows_(static_cast<std::size_t>(medoids.size)), losses_(rows_.size()),
      limits_(static_cast<std::size_t>(objects.measured() ? objects.room() : 0)),
      is_medoid_(static_cast<std::size_t>(objects.size())) {
    const Index n = objects.size();
    for (Index m = 0; m < medoids.size; ++m) {
        seat(static_cast<std::int32_t>(m));
        is_medoid_[medoids[m]] = 1;
    }
    const runtime::Blocks blocks{n, 2048};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            for (Index o = blocks.begin(b); o < blocks.end(b); ++o) search(o);
        },
        threads_for(objects, medoids.size));
    settle();
}

// Measures the row of a medoid.
void Medoids::seat(std::int32_t place) {
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
        const double d = table(m)[o];
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
    to_.nearest[o] = nearest;
    to_.second[o] = second;
    to_.first_distance[o] = first_distance;
    to_.second_distance[o] = second_distance;
}

// What follows from the nearest two medoids of all objects.
void Medoids::settle() {
    const Index n = objects_.size();
    std::fill(losses_.begin(), losses_.end(), 0.0);
    if (medoids_.size == 1) return;
    for (Index o = 0; o < n; ++o) {
        losses_[to_.nearest[o]] += weight(o) * (to_.second_distance[o] - to_.first_distance[o]);
    }
    if (!objects_.measured()) return;
    const linkage::CoarseColumns& coarse = objects_.coarse();
    for (Index o = 0; o < n; ++o) {
        const double reach = to_.second_distance[o] * coarse.scale + coarse.slip[o];
        limits_[o] = static_cast<float>(reach * reach * coarse.growth);
    }
}

double Medoids::objective() const {
    return medoid_kernels().sum(to_.first_distance.data, pointer(weights_), objects_.size());
}

Medoids::Trial Medoids::trial(Index candidate, double* buffer) const {
    const Index n = objects_.size();
    if (medoids_.size == 1) {
        const double* const row = objects_.row(candidate, buffer);
        return {medoid_kernels().sum(row, pointer(weights_), n) - objective(), 0};
    }
    std::vector<double> changes(losses_);
    const TrialCall call{
        pointer(weights_), to_.nearest.data, to_.first_distance.data, to_.second_distance.data, n,
        changes.data()};
    double gained;
    if (objects_.measured()) {
        const linkage::CoarseColumns& coarse = objects_.coarse();
        std::vector<float> query(static_cast<std::size_t>(objects_.dims()));
        for (Index t = 0; t < objects_.dims(); ++t) query[t] = coarse.at(t)[candidate];
        gained = medoid_kernels().measured_trial(
            call, {coarse.values.data(), coarse.stride, objects_.dims(), query.data(),
                   coarse.doubt_of(candidate), limits_.data(), objects_.values(0),
                   objects_.values(candidate)});
    } else {
        gained = medoid_kernels().trial(call, objects_.row(candidate, buffer));
    }
    const auto best = std::min_element(changes.begin(), changes.end());
    return {*best + gained, static_cast<std::int32_t>(best - changes.begin())};
}

void Medoids::swap(std::int32_t place, Index candidate) {
    is_medoid_[medoids_[place]] = 0;
    is_medoid_[candidate] = 1;
    medoids_[place] = static_cast<std::int32_t>(candidate);
    seat(place);
    const double* const row = table(place);
    for (Index o = 0; o < objects_.size(); ++o) {
        const double d = row[o];
        if (to_.nearest[o] == place) {
            if (d < to_.second_distance[o]) {
                to_.first_distance[o] = d;
            } else {
                search(o);
            }
        } else if (d < to_.first_distance[o]) {
            to_.second[o] = to_.nearest[o];
            to_.second_distance[o] = to_.first_distance[o];
            to_.nearest[o] = place;
            to_.first_distance[o] = d;
        } else if (d < to_.second_distance[o]) {
            to_.second[o] = place;
            to_.second_distance[o] = d;
        } else if (to_.second[o] == place) {
            search(o);
        }
    }
    settle();
}

Sweep Medoids::sweep(Index from, Index count, Index quiet) {
    const Index n = objects_.size();
    std::vector<std::vector<double>> buffers(kMostTrials);
    std::vector<Index> candidates;
    std::vector<Trial> trials(kMostTrials);
    Index swaps = 0, at = from, together = 2;
    double objective = this->objective();
    while (count > 0 && quiet < n) {
        runtime::poll_interrupt();
        candidates.clear();
        for (Index i = 0; i < std::min({together, count, n - quiet}); ++i) {
            candidates.push_back((at + i) % n);
        }
        const Index number = static_cast<Index>(candidates.size());
        runtime::parallel_for(
            number,
            [&](Index i) {
                if (is_medoid_[candidates[i]]) {
                    trials[i] = {0.0, 0};
                    return;
                }
                if (objects_.measured() && medoids_.size == 1) {
                    buffers[i].resize(static_cast<std::size_t>(objects_.room()));
                }
                trials[i] = trial(candidates[i], buffers[i].data());
            },
            threads_for(objects_, number));
        Index taken = 0;
        while (taken < number && !(trials[taken].change < -kRounding * objective)) ++taken;
        const bool improves = taken < number;
        const Index seen = improves ? taken + 1 : number;
        if (improves) {
            swap(trials[taken].place, candidates[taken]);
            objective = this->objective();
            ++swaps;
            quiet = 0;
            together = 2;
        } else {
            quiet += number;
            together = std::min(2 * together, kMostTrials);
        }
        at = (at + seen) % n;
        count -= seen;
    }
    return {swaps, at, quiet, objective};
}

void build(const Objects& objects, Vector<const double> weights, Vector<std::int32_t> medoids) {
    const Index n = objects.size();
    std::vector<double> first(static_cast<std::size_t>(n), kFar), scores(first.size());
    std::vector<char> taken(first.size());
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
            if (!taken[c] && (best < 0 || scores[c] > scores[best])) best = c;
        }
        medoids[m] = static_cast<std::int32_t>(best);
        taken[best] = 1;
        const double* const row = objects.row(best, own.data());
        for (Index o = 0; o < n; ++o) first[o] = std::min(first[o], row[o]);
    }
}

void build_from_samples(const Objects& objects, Vector<const double> weights,
                        Matrix<const std::int32_t> samples, Vector<std::int32_t> medoids) {
    const Index n = objects.size();
    std::vector<double> first(static_cast<std::size_t>(n), kFar);
    std::vector<double> own(static_cast<std::size_t>(objects.room()));
    std::vector<char> taken(first.size());
    for (Index m = 0; m < medoids.size; ++m) {
        runtime::poll_interrupt();
        Index best = -1;
        double most = -kFar;
        for (Index s = 0; s < samples.cols; ++s) {
            const Index candidate = samples(m, s);
            if (taken[candidate]) continue;
            double score = 0;
            for (Index other = 0; other < samples.cols; ++other) {
                const Index o = samples(m, other);
                const double d = objects.between(candidate, o);
                const double w = weights.size > 0 ? weights[o] : 1.0;
                score += m == 0 ? -w * d : w * std::max(0.0, first[o] - d);
            }
            if (score > most) {
                most = score;
                best = candidate;
            }
        }
        for (Index c = 0; best < 0; ++c) {
            if (!taken[c]) best = c; // all of the sample are medoids
        }
        medoids[m] = static_cast<std::int32_t>(best);
        taken[best] = 1;
        const double* const row = objects.row(best, own.data());
        for (Index o = 0; o < n; ++o) first[o] = std::min(first[o], row[o]);
    }
}

} // namespace gramian::medoids
