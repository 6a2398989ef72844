#include "audit/cost.h"

#include <algorithm>

namespace tightwire::audit {
namespace {

// Parts of the time so far that samples and the counting of calls may take.
constexpr double part_for_samples = 0.008;
constexpr double part_for_counting = 0.007;
constexpr std::uint64_t largest_weight = 4096;

// Of a call, what is not measured: the clock, the lock, the way in and out.
constexpr double unmeasured = 150e-9;
// No longer does counting one call take, new places among them.
constexpr double longest = 100e-6;
// Seconds that the first calls may take, communicators and places that are new among them.
constexpr double slack = 5e-3;
// Of a sampled byte, before the first was measured.
constexpr double first_guess = 40e-9;

// Chance, so that calls which take turns are all met.
std::uint64_t random_below(std::uint64_t limit) {
  [[gnu::tls_model("initial-exec")]] static thread_local std::uint64_t state = 0x9E3779B97F4A7C15U;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % limit;
}

}  // namespace

std::uint64_t Cost::weight_of_next_call() {
  const std::uint64_t weight = weight_.load(std::memory_order_relaxed);
  return weight == 1 || random_below(weight) == 0 ? weight : 0;
}

bool Cost::affords_sample(std::size_t bytes, bool is_first) const {
  const double per_byte = sample_bytes_ > 0 ? sample_seconds_ / sample_bytes_ : first_guess;
  const double needed = per_byte * static_cast<double>(bytes);
  const double part = is_first ? part_for_samples : part_for_samples / 2;
  return sample_seconds_ + copy_seconds_ + needed < part * elapsed();
}

void Cost::count_sample(std::size_t bytes, Clock::duration time) {
  const double seconds = std::chrono::duration<double>(time).count();
  sample_bytes_ += static_cast<double>(bytes);
  sample_seconds_ += seconds;
  samples_of_call_ += seconds;
}

void Cost::count_copy(Clock::duration time) {
  const double seconds = std::chrono::duration<double>(time).count();
  copy_seconds_ += seconds;
  samples_of_call_ += seconds;
}

void Cost::count_call(Clock::duration before, double mpi_seconds) {
  const double all = std::chrono::duration<double>(before).count();
  counting_seconds_ += std::clamp(all - samples_of_call_, 0.0, longest) + unmeasured;
  samples_of_call_ = 0;
  mpi_seconds_ += mpi_seconds;
  const double part = counting_seconds_ / std::max(elapsed(), 1e-6);
  const std::uint64_t weight = weight_.load(std::memory_order_relaxed);
  if (part > part_for_counting && counting_seconds_ > slack && weight < largest_weight) {
    weight_.store(2 * weight, std::memory_order_relaxed);
  } else if (part < part_for_counting / 2 && weight > 1) {
    weight_.store(weight / 2, std::memory_order_relaxed);
  }
}

void Cost::add_to(Profile& profile) const {
  profile.seconds = elapsed();
  profile.mpi_seconds = mpi_seconds_;
  profile.least_mpi_seconds = mpi_seconds_;
  profile.cost_seconds = counting_seconds_ + sample_seconds_ + copy_seconds_;
}

}  // namespace tightwire::audit
