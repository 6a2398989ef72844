#include "mpi/encoding/range.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <vector>

#include "codec/fill/find.h"
#include "codec/float_environment.h"
#include "mpi/error.h"
#include "os/thread_time.h"
#include "policy/cost/speeds.h"
#include "policy/tuning/own_speed.h"
#include "runtime/crew/together.h"
#include "runtime/log.h"
#include "runtime/runtime.h"

namespace tightwire::mpi {
namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();

// Two numbers whose maxima over all ranks are those of the joined range.
std::array<double, 2> extremes(const codec::ValueRange& range, bool counts) {
  return counts ? std::array{-range.smallest, range.largest} : std::array{nothing, nothing};
}

codec::ValueRange range_between(double negated_smallest, double largest) {
  if (negated_smallest == nothing) return {};
  return {-negated_smallest, largest, true};
}

// What is not twice as much is read in less time than it takes to hand a part of it to another
// thread.
constexpr std::size_t piece = policy::least_bytes_of_shared_look / 2;

// Compared with what the cost model takes it for.
class OwnLooks {
 public:
  void add(std::size_t bytes, double took) {
    if (runtime::is_deterministic()) return;
    const std::scoped_lock lock(mutex_);
    speed_.add(expected(bytes), took);
  }
  double seconds(std::size_t bytes) {
    const std::scoped_lock lock(mutex_);
    return expected(bytes) * speed_.factor();
  }

 private:
  static double expected(std::size_t bytes) {
    return static_cast<double>(bytes) * policy::look_seconds_per_byte;
  }

  std::mutex mutex_;
  policy::OwnSpeed speed_;
};

OwnLooks& own_looks() {
  static auto* const looks = new OwnLooks;  // threads of the program may outlive destruction
  return *looks;
}

codec::Extent extent_alone(codec::ElementType type, std::span<const std::byte> values) {
  if (values.size() < piece) return codec::finite_extent(type, values);
  const double begin = os::thread_seconds();
  const codec::Extent extent = codec::finite_extent(type, values);
  own_looks().add(values.size(), os::thread_seconds() - begin);
  return extent;
}

codec::Extent extent_together(codec::ElementType type, std::span<const std::byte> values) {
  const std::size_t count = values.size() / piece;
  if (runtime::places_together(count) < 2) return extent_alone(type, values);
  std::vector<codec::Extent> parts(count);
  const auto look = [&](std::size_t item) {
    const std::size_t begin = item * piece;
    const std::size_t size = item + 1 == count ? values.size() - begin : piece;
    parts[item] = codec::finite_extent(type, values.subspan(begin, size));
  };
  runtime::look_together({count, count, look, [](std::size_t) {}}, values.size());
  codec::Extent all = parts[0];
  for (const codec::Extent& part : parts) {
    all = {std::min(all.smallest, part.smallest), std::max(all.largest, part.largest)};
  }
  return all;
}

}  // namespace

codec::ValueRange own_range(codec::ElementType type, std::span<const std::byte> values) {
  return codec::value_range(type, values, extent_together(type, values));
}

double look_seconds(std::size_t bytes, double coding_speedup) {
  const bool is_shared = bytes >= policy::least_bytes_of_shared_look;
  return own_looks().seconds(bytes) / (is_shared ? coding_speedup : 1);
}

RangeExtremes extremes_of(const codec::ValueRange& own) {
  const auto varied = extremes(own, own.any && !own.constant());
  const auto constant = extremes(own, own.constant());
  return {varied[0], varied[1], constant[0], constant[1]};
}

// Each end of the constants by itself: the smallest may be a fill value, and the largest not.
codec::ValueRange range_of_all(const RangeExtremes& largest) {
  const codec::FloatEnvironment environment;
  return range_between(largest[0], largest[1])
      .joined(range_between(largest[2], -largest[2]))
      .joined(range_between(-largest[3], largest[3]));
}

codec::ValueRange agreed_range(const codec::ValueRange& own, MPI_Comm comm) {
  RangeExtremes all = extremes_of(own);
  check(PMPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_MAX,
                       comm));
  return range_of_all(all);
}

void warn_if_wiped_out(std::size_t count, const codec::ValueRange& own,
                       const codec::ValueRange& range, double bound) {
  static std::atomic<bool> warned{false};
  if (warned.load(std::memory_order_relaxed) || 2 * own.width() < range.width()) return;
  if (!own.wiped_out_by(bound) || warned.exchange(true)) return;
  runtime::log((codec::wiped_out_text(count, own, bound) + ". This is said once").c_str());
}

}  // namespace tightwire::mpi
