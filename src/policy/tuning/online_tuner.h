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
#include <optional>

#include "policy/cost/schedule.h"
#include "policy/tuning/common_clock.h"

namespace tightwire::policy {

// Times of the last calls since a round, on the common clock. A call takes from the moment when the
// last rank began it to that when the last one ended it: waiting for late ranks counts for nothing,
// and a rank that leaves early does not speak for the others. The largest over all ranks counts.
struct CallTimes {
  static constexpr std::size_t kept = 8;
  std::array<double, 2 * kept> numbers{};  // begins, then ends
};

// What a rank's values promise, size of frames / size of values: the largest of all ranks counts.
struct Promise {
  double sampled = 0;  // by a sample
  double seen = 0;     // of the last compressed calls
};

// What senders need to find out from which earlier messages others are predicted
// (history/sent_channel.h), and some that are.
inline constexpr std::size_t calls_to_learn = 24;

class OnlineTuner {
 public:
  struct ModelInput {
    const settings::Settings& settings;
    Plan plan;
    Facts facts;
    codec::ElementType type;
    // Messages may be predicted from earlier ones, of which a sample of one message tells nothing:
    // calls_to_learn of them are compressed where twice the ratio would pay, and then now and then.
    bool remembers = false;
    double codec_time = 1;  // speeds_of()
  };

  // What an earlier run has learned of such calls. Of times 0 is not known.
  struct Experience {
    double raw_seconds = 0;
    double compressed_seconds = 0;
    double compressed_ratio = 1;      // where they took that, ...
    double compressed_bandwidth = 0;  // ... and the network and the codec then
    double compressed_codec_time = 0;
    double correction = 1;
    double came_to = 0;        // as Promise::seen; 0: not known
    std::size_t interval = 1;  // calls between the last two rounds
    bool compress = false;
    bool operator==(const Experience&) const = default;
  };

  // In a Promise and in CallTimes: not known.
  static constexpr double nothing = -1e300;

  // To begin with, before the first call.
  void begin_with(const Experience& earlier);
  // Nothing where the network was not known yet.
  [[nodiscard]] std::optional<Experience> experience() const;

  // A round: when it is due, ...
  [[nodiscard]] bool round_due() const { return calls_left_ == 0; }
  // ... what this rank brings, with what a sample promises, ...
  [[nodiscard]] Promise promise(double sampled) const;
  // ... where this may be worth compressing by the agreed promise, ...
  [[nodiscard]] static bool is_promising(const ModelInput& input, const Promise& agreed);
  // ... the times of this rank's calls since the last one, if there were any, ...
  [[nodiscard]] bool has_times() const { return calls_ > 0; }
  // This rank's shortest of the last ones, by its own clock; nothing if there were none.
  [[nodiscard]] double shortest_call() const;
  [[nodiscard]] CallTimes times(const CommonClock& clock) const;
  // ... what plain calls were seen to take by all ranks' times, if there were any, ...
  [[nodiscard]] std::optional<double> raw_seconds_of(const CallTimes& agreed) const;
  // ... and the decision. Where the network is not known, calls go to MPI to learn that.
  void end_round(const ModelInput& input, const Promise& promised, const CallTimes& agreed);

  // Of the next call.
  [[nodiscard]] bool compress() const { return compress_; }
  // What is expected of the data.
  [[nodiscard]] double ratio() const { return ratio_; }
  // Whether there would be anything to gain on any network.
  [[nodiscard]] bool compressible() const { return ratio_ >= least_ratio; }
  // Calls go to MPI to learn how fast the network is.
  [[nodiscard]] bool is_measuring() const { return is_measuring_; }

  // Every call, on every rank, also where it fails: its begin on the own clock, and what its time
  // is to be multiplied with to be that of the size class. It counts from then on, for it may end
  // without being noted, on one rank alone, where an error handler leaves by longjmp().
  void begin_call(double begin, double scale = 1) noexcept;
  // Its end. A rank that does not tell leaves that to the others.
  void end_call(double end) noexcept;
  void note(double begin, double end, double scale = 1) noexcept {
    begin_call(begin, scale);
    end_call(end);
  }
  // After a compressed call: the size of this rank's messages, and of their frames.
  void note_traffic(std::size_t values, std::size_t frames) noexcept;
  // Instead, where no time may count: the model alone decides.
  void count_call() noexcept {
    if (calls_left_ > 0) --calls_left_;
  }

  [[nodiscard]] std::size_t calls_to_round() const { return calls_left_; }
  // Whether there has been a round in this run.
  [[nodiscard]] bool has_decided() const { return has_decided_; }

  // What shrinks by less is left as it is.
  static constexpr double least_ratio = 1.1;

 private:
  struct Noted {
    double begin = 0;
    double end = 0;
    double scale = 1;  // alike on all ranks
  };

  // How long compressed calls take, of messages that shrink by `ratio`, on such a network with such
  // a codec.
  struct CompressedTime {
    double seconds = 0;  // 0: not known
    double ratio = 1;
    double bandwidth = 0;
    double codec_time = 0;  // 0: not known
  };

  [[nodiscard]] std::optional<double> seconds_of(const CallTimes& agreed) const;
  [[nodiscard]] double expected_raw(const Facts& facts) const;
  void learn(std::optional<double> seconds);
  void learn_raw(double seconds);
  void follow_model(const ModelInput& input);
  static double corrected_by(double measured, double predicted);
  // Encoding was found to be slower than what the model alone says of plain calls.
  [[nodiscard]] bool lost_to_a_guess() const {
    return !compress_ && raw_ == 0 && measured_.seconds > 0 && compressible();
  }
  void decide(double compressed, double raw);
  void measure(const ModelInput& input);
  [[nodiscard]] static CompressedTime predict(const ModelInput& input, double ratio);
  void try_memory(const ModelInput& input, double raw);
  void plan_next_round(const ModelInput& input, double seconds_a_call, bool changed);

  std::array<Noted, CallTimes::kept> noted_;
  std::size_t calls_ = 0;  // that were noted since the last round, all of one kind
  bool compress_ = false;
  bool trial_ = false;
  double values_seen_ = 0;  // bytes; those of calls before count less and less
  double frames_seen_ = 0;
  std::size_t trial_calls_ = 0;
  std::size_t calls_to_memory_ = 0;  // to the next trial of it
  static constexpr std::size_t first_memory_pause = 512;
  std::size_t memory_pause_ = first_memory_pause;
  bool is_measuring_ = false;
  bool has_decided_ = false;
  double ratio_ = 1;
  std::size_t calls_left_ = 0;
  std::size_t interval_ = 0;
  double raw_ = 0;             // last measured; 0: never
  bool raw_is_rough_ = false;  // by the first calls of all, which may set up connections
  std::size_t rounds_since_raw_ = 0;
  CompressedTime predicted_;  // since the last round, by the model alone
  CompressedTime measured_;   // the last time, on what was taken for the network then
  double correction_ = 1;     // measured / predicted
};

}  // namespace tightwire::policy
