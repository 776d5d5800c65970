// The working set: the variables of the next subproblem, and their block of kernel values.
#pragma once

#include "core/svm/variables.hpp"

namespace gramian::svm {

template <typename V>
class WorkingSet {
public:
    // At most `most` variables.
    WorkingSet(const Points& points, const Variables& variables, Index most);

    const std::vector<std::int32_t>& variables() const { return working_; }
    Index size() const { return static_cast<Index>(working_.size()); }
    V diagonal(Index k) const { return diagonal_[k]; }
    double sign(Index k) const { return sign_[k]; }
    double alpha(Index k) const { return alpha_[k]; }
    Index entries() const { return entries_; } // kernel values computed

    // Most of the old working set stays, the variables that violate most join it: those of largest
    // score that may rise and those of smallest that may fall, and so the pair that violates most.
    void choose();
    // Whether `block` reads kernel rows; otherwise it computes the values it needs.
    bool reads_rows() const;
    // Its machine, given the kernel rows of its variables.
    Block<V> block(const std::vector<V*>& rows, double tol, Index max_steps);

private:
    // A variable, or a block of them with the best score of its own.
    struct Candidate {
        double score;
        std::int32_t variable;
        bool operator<(const Candidate& other) const {
            return score < other.score || (score == other.score && variable < other.variable);
        }
    };

    std::vector<Candidate> violators(int group, bool rising, Index count);
    void fill_kernel(const std::vector<V*>& rows);
    void read_new(const std::vector<V*>& rows, Index stayed);
    void compute_new(Index stayed);
    void fill_variables();

    const Points& points_;
    const Variables& all_;
    Index most_;
    std::vector<V> diagonals_;          // of all points
    std::vector<std::uint32_t> chosen_; // the round in which a variable was chosen last
    std::uint32_t stamp_ = 0;
    std::vector<std::int32_t> working_;
    std::vector<Candidate> block_scores_; // of blocks
    std::vector<Index> kept_;             // positions in the last working set of those that stayed
    Index old_room_ = 0;
    std::vector<V> kernel_, old_kernel_, fresh_, diagonal_;
    Index entries_ = 0;
    std::vector<double> score_, sign_, upper_, alpha_, up_, down_;
    std::vector<std::int32_t> group_;
};

} // namespace gramian::svm
