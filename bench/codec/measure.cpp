#include "measure.h"

#include <algorithm>
#include <ctime>
#include <stdexcept>

#include "calibrate/measure/timing.h"
#include "codec/estimate/estimate.h"
#include "support/measure.h"

namespace tightwire::bench {
namespace {

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Of this thread's processor time: the same as the clock's where the thread has a core to itself,
// and fair to all where it has not.
template <class Work>
double processor_seconds_of(const Work& work) {
  const double start = thread_seconds();
  work();
  return thread_seconds() - start;
}

// Rows and components are what a sample tells, as in use. They are found before any timing, for a
// buffer that comes again keeps them. The encoding is combined with no other, as that of a message.
codec::Parameters parameters_of(const fields::Field& field, double bound) {
  codec::Parameters parameters;
  parameters.error_bound = bound;
  parameters.alone = true;
  const codec::Estimate estimate = codec::estimate(field.type, field.bytes, parameters);
  parameters.row_length = estimate.row_length;
  parameters.plane_length = estimate.plane_length;
  parameters.components = estimate.components;
  return parameters;
}

// One candidate's buffers, touched before any timing, and its times so far.
class Contestant {
 public:
  Contestant(const Candidate& candidate, const fields::Field& field,
             const codec::Parameters& parameters)
      : candidate_(candidate),
        field_(field),
        parameters_(parameters),
        encoded_(candidate.max_encoded_size(field.type,
                                            field.bytes.size() / element_size(field.type))) {}

  void time_once(std::span<std::byte> decoded) {
    compress_.push_back(processor_seconds_of(
        [&] { size_ = candidate_.encode(field_.type, field_.bytes, parameters_, encoded_); }));
    expand_.push_back(processor_seconds_of(
        [&] { candidate_.decode(field_.type, std::span(encoded_).first(size_), decoded); }));
  }

  [[nodiscard]] bool slow(double patience) const {
    return std::max(compress_.back(), expand_.back()) > patience;
  }

  Measurement result(const std::vector<std::byte>& decoded) const {
    Measurement measurement{&candidate_, median(compress_), median(expand_), size_, {}, {}};
    if (candidate_.lossy()) {
      measurement.errors = errors_of(field_.type, field_.bytes, decoded, parameters_.error_bound);
      measurement.constant_blocks =
          candidate_.constant_blocks(field_.type, field_.bytes.size() / element_size(field_.type),
                                     std::span(encoded_).first(size_));
    } else if (decoded != field_.bytes) {
      throw std::runtime_error(candidate_.name() + " did not give back " + field_.name);
    }
    return measurement;
  }

  // Once more, now to look at what comes out.
  Measurement checked_result(std::vector<std::byte>& decoded) const {
    std::ranges::fill(decoded, std::byte{0xff});
    candidate_.decode(field_.type, std::span(encoded_).first(size_), decoded);
    return result(decoded);
  }

 private:
  const Candidate& candidate_;
  const fields::Field& field_;
  codec::Parameters parameters_;
  std::vector<std::byte> encoded_;
  std::size_t size_ = 0;
  std::vector<double> compress_;
  std::vector<double> expand_;
};

}  // namespace

std::vector<Measurement> measure(const std::vector<const Candidate*>& candidates,
                                 const fields::Field& field, double bound, const Effort& effort,
                                 const std::function<void(int)>& each_round) {
  std::vector<std::byte> decoded(field.bytes.size());
  // An exact codec has no bound to be helped with.
  const bool lossy = candidates.back()->lossy();
  const codec::Parameters parameters = parameters_of(field, lossy ? bound : 0);
  std::vector<Contestant> contestants;
  for (const Candidate* candidate : candidates) {
    if (candidate->supports(field.type)) contestants.emplace_back(*candidate, field, parameters);
  }
  for (int round = 0; round < effort.rounds; ++round) {
    each_round(round);
    for (Contestant& contestant : contestants) {
      if (round < 3 || !contestant.slow(effort.patience)) contestant.time_once(decoded);
    }
  }
  std::vector<Measurement> results;
  results.reserve(contestants.size());
  for (const Contestant& contestant : contestants) {
    results.push_back(contestant.checked_result(decoded));
  }
  return results;
}

}  // namespace tightwire::bench
