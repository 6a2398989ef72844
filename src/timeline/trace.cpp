#include "timeline/trace.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace tightwire::timeline {
namespace {

constexpr int format_version = 1;
// Seconds a second: what seems to be more is the error of two looks at a clock soon after each
// other.
constexpr double most_drift = 1e-4;
constexpr std::uint64_t events_in_part = 4096;
constexpr std::array<const char*, 3> kinds{"call", "codec", "network"};

template <class... Fields>
void add(std::string& text, const char* format, Fields... fields) {
  std::array<char, 400> line{};
  std::snprintf(line.data(), line.size(), format, fields...);
  text += line.data();
}

}  // namespace

double Clock::at(std::uint64_t nanoseconds) const {
  const double own = 1e-9 * static_cast<double>(nanoseconds);
  const double between = last - first;
  const double drift = between > 0 ? (last_ahead - first_ahead) / between : 0;
  const double likely = std::clamp(drift, -most_drift, most_drift);
  return 1e6 * (own + first_ahead + likely * (own - first) - epoch);
}

Trace::Trace(const Process& process, const Clock& clock)
    : process_(process), clock_(clock), threads_(timeline::threads()), left_(kept()) {}

std::string Trace::beginning() const {
  std::string text;
  add(text,
      "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"timeline\":%d,\"tightwire\":\"%s\","
      "\"job\":\"%s\",\"rank\":%d,\"ranks\":%d,\"ended_by\":\"%s\",\"events_lost\":%llu},\n",
      format_version, process_.version.c_str(), process_.job.c_str(), process_.rank, process_.ranks,
      process_.ended_by.c_str(), static_cast<unsigned long long>(left_.first));
  add(text,
      "\"traceEvents\":[\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"tid\":0,"
      "\"args\":{\"name\":\"rank %d, host %zu\"}},\n",
      process_.rank, process_.rank, process_.host);
  add(text,
      "{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":%d,\"tid\":0,"
      "\"args\":{\"sort_index\":%d}}",
      process_.rank, process_.rank);
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    add(text,
        ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%zu,"
        "\"args\":{\"name\":\"%s\"}}",
        process_.rank, i, threads_[i].c_str());
  }
  return text;
}

void Trace::add_event(const Event& event) {
  add(text_,
      ",\n{\"ph\":\"X\",\"name\":\"%s\",\"cat\":\"%s\",\"ts\":%.3f,\"dur\":%.3f,\"pid\":%d,"
      "\"tid\":%u",
      event.name, kinds[static_cast<std::size_t>(event.kind)], clock_.at(event.begin),
      clock_.at(event.begin + event.duration) - clock_.at(event.begin), process_.rank,
      unsigned{event.thread});
  const auto bytes = static_cast<unsigned long long>(event.bytes);
  if (event.peer >= 0) {
    add(text_, ",\"args\":{\"bytes\":%llu,\"rank\":%d}}", bytes, event.peer);
  } else if (event.bytes > 0) {
    add(text_, ",\"args\":{\"bytes\":%llu}}", bytes);
  } else {
    text_ += "}";
  }
}

std::string_view Trace::next() {
  text_.clear();
  if (part_ == Part::nothing) return {};
  if (part_ == Part::beginning) {
    part_ = Part::events;
    text_ = beginning();
    return text_;
  }
  const Range range{left_.first, std::min(left_.end, left_.first + events_in_part)};
  for (const Event& event : read(range)) add_event(event);
  left_.first = range.end;
  if (left_.first == left_.end) {
    part_ = Part::nothing;
    text_ += "\n]}\n";
  }
  return text_;
}

}  // namespace tightwire::timeline
