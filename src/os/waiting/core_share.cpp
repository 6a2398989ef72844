#include "os/waiting/core_share.h"

#include <fcntl.h>

#include <array>
#include <charconv>
#include <chrono>

#include "os/file_descriptor.h"

namespace tightwire::os {
namespace {

// To ask takes some tens of microseconds.
constexpr std::chrono::milliseconds between_looks{25};
constexpr double others_share = 0.1;
constexpr double enough = 5e-3;
// What was before tells little of now. Longer than some of the scheduler's turns.
constexpr double long_enough = 50e-3;

std::optional<ThreadTurns> turns_of_this_thread() {
  const FileDescriptor file(open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC));
  std::array<char, 96> text{};
  const ssize_t size = file.open() ? read(file.get(), text.data(), text.size()) : -1;
  if (size < 0) return std::nullopt;
  return parse_turns({text.data(), static_cast<std::size_t>(size)});
}

}  // namespace

std::optional<ThreadTurns> parse_turns(std::string_view text) {
  constexpr double nanosecond = 1e-9;
  unsigned long long ran = 0;
  unsigned long long waited = 0;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, ran);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != ' ') return std::nullopt;
  if (std::from_chars(first.ptr + 1, end, waited).ec != std::errc{}) return std::nullopt;
  return ThreadTurns{nanosecond * static_cast<double>(ran),
                     nanosecond * static_cast<double>(waited)};
}

// Where a thread begins, whole jobs are being started.
void CoreShare::see(const ThreadTurns& turns) {
  const ThreadTurns before = last_.value_or(turns);
  lately_.ran += turns.ran - before.ran;
  lately_.waited += turns.waited - before.waited;
  last_ = turns;
  const double all = lately_.ran + lately_.waited;
  if (all <= long_enough) return;
  lately_.ran *= long_enough / all;
  lately_.waited *= long_enough / all;
}

bool CoreShare::is_shared() const {
  const double all = lately_.ran + lately_.waited;
  return all > enough && lately_.waited > others_share * all;
}

bool core_is_shared() {
  using Clock = std::chrono::steady_clock;
  thread_local CoreShare share;
  thread_local Clock::time_point next;
  const Clock::time_point now = Clock::now();
  if (now >= next) {
    if (const auto turns = turns_of_this_thread()) share.see(*turns);
    next = now + between_looks;
  }
  return share.is_shared();
}

}  // namespace tightwire::os
