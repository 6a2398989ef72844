// What the ranks of a communicator have learned of one kind of call (operation, type, size class,
// settings), and whether it is compressed because of that.
//
// At some calls the ranks hold a tuning round: each rank brings its measurements, all get the
// largest of each over all ranks, and from those all come to the same decision without further
// messages. The cost model decides, corrected by measured times. What no rank has measured yet is
// tried where the model predicts nearly the same time for both. Rounds are so far apart that they
// cost next to nothing. Pure; not thread safe.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "policy/cost/schedule.h"

namespace tightwire::policy {

// Of one rank, in such a form that the largest over all ranks is what counts:
struct Measurements {
  static constexpr double nothing = -1e300;
  // Size of frames / size of values, as a sample of the rank's values promises; the least
  // compressible counts.
  double fraction = nothing;
  // Minus the median time of the calls since the last round, seconds. The shortest of all ranks'
  // counts: it is that of the rank that entered the call last and has not waited for others.
  double raw = nothing;
  double compressed = nothing;

  [[nodiscard]] std::array<double, 3> numbers() const { return {fraction, raw, compressed}; }
  [[nodiscard]] static Measurements of(const std::array<double, 3>& n) {
    return {n[0], n[1], n[2]};
  }
};

class OnlineTuner {
 public:
  struct ModelInput {
    const settings::Settings& settings;
    Plan plan;
    Facts facts;
    codec::ElementType type;
  };

  [[nodiscard]] bool round_due() const { return calls_left_ == 0; }
  [[nodiscard]] Measurements measurements(double fraction) const;
  void end_round(const ModelInput& input, const Measurements& agreed);

  // Of the next call.
  [[nodiscard]] bool compress() const { return compress_; }
  // What is expected of the data.
  [[nodiscard]] double ratio() const { return ratio_; }

  // After every call, on every rank, also where it failed.
  void note(double seconds) noexcept;
  // Instead, where no time may count: the model alone decides.
  void count_call() noexcept {
    if (calls_left_ > 0) --calls_left_;
  }

  [[nodiscard]] std::size_t calls_to_round() const { return calls_left_; }

 private:
  [[nodiscard]] double expected_raw(const Facts& facts) const;
  void learn(const Measurements& agreed);
  void decide(double compressed, double raw);
  void plan_next_round(const Facts& facts, double seconds_a_call, bool changed);

  std::vector<double> raw_calls_;  // seconds, since the last round
  std::vector<double> compressed_calls_;
  bool compress_ = false;
  bool trial_ = false;
  double ratio_ = 1;
  std::size_t calls_left_ = 0;
  std::size_t interval_ = 0;
  double raw_ = 0;  // last measured; 0: never
  std::size_t rounds_since_raw_ = 0;
  double predicted_ = 0;         // of compressed calls since the last round, by the model alone
  double correction_ = 1;        // measured / predicted
  bool was_compressed_ = false;  // ever
};

}  // namespace tightwire::policy
