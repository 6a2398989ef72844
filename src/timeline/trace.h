// Events as text: the Trace Event Format of Chrome, "JSON Object Format", which Perfetto, Chrome's
// own viewer and speedscope open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "timeline/events.h"

namespace tightwire::timeline {

// The job's clock, as this process has found it: what it was ahead of the own one, at two times.
struct Clock {
  double first = 0;  // seconds of the own clock
  double first_ahead = 0;
  double last = 0;  // as `first`, where there was no second look
  double last_ahead = 0;
  double epoch = 0;  // the job's clock when the timeline began

  // Microseconds of the timeline; `nanoseconds` of the own clock.
  [[nodiscard]] double at(std::uint64_t nanoseconds) const;
};

struct Process {
  std::string version;  // of Tightwire
  std::string job;      // alike on all ranks of a job and of no other
  int rank = 0;
  int ranks = 1;
  std::size_t host = 0;  // by number
  std::string ended_by;  // what ended the process before its time; empty: nothing
};

// The text in parts, so that it is never in memory as a whole.
class Trace {
 public:
  // After stop().
  Trace(const Process& process, const Clock& clock);
  // The next part; empty: there is none. Valid until the next call.
  [[nodiscard]] std::string_view next();

 private:
  [[nodiscard]] std::string beginning() const;
  void add_event(const Event& event);

  Process process_;
  Clock clock_;
  std::vector<std::string> threads_;
  Range left_;
  enum class Part : std::uint8_t { beginning, events, nothing } part_ = Part::beginning;
  std::string text_;
};

}  // namespace tightwire::timeline
