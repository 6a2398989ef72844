// What a message costs that a GPU encodes and another one decodes, beside one that is staged. By
// measurement on an H200 (results/device.csv), rounded down; a bus as it is mostly.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

#include "codec/estimate/estimate.h"
#include "policy/cost/cost.h"
#include "policy/cost/schedule.h"

namespace tightwire::policy {

inline constexpr double device_call_seconds = 40e-6;  // kernels begin, and their end is waited for
inline constexpr double device_coding_speed = 400e9;  // bytes of values per second
inline constexpr double device_look_speed = 1e12;
inline constexpr double bus_speed = 25e9;  // bytes per second: 16 lanes of PCIe 4

// At one end, from the memory of a GPU to that of its host or back.
struct DeviceSeconds {
  double coded = 0;
  double staged = 0;
};
[[nodiscard]] inline DeviceSeconds device_seconds(std::size_t bytes, double ratio) {
  const auto values = static_cast<double>(bytes);
  return {device_call_seconds + values / device_coding_speed + values / ratio / bus_speed,
          values / bus_speed};
}
// Beside that, for the range of the values and a sample of them.
[[nodiscard]] inline double device_look_seconds(std::size_t bytes) {
  return device_call_seconds + static_cast<double>(bytes) / device_look_speed;
}

// More than any values shrink: what is quicker by it may be tried.
inline constexpr double best_device_ratio = 1e3;

// Where the codec makes so much less of the values.
[[nodiscard]] inline codec::Prediction coded_by_devices(std::size_t bytes, double ratio) {
  codec::Prediction prediction{codec::Id::bounded_device, ratio};
  prediction.decode_seconds = device_seconds(bytes, ratio).coded;
  prediction.encode_seconds = device_look_seconds(bytes) + prediction.decode_seconds;
  return prediction;
}

// The same in seconds more than those of a staged message, whose values cross the bus as they are;
// no less than none.
[[nodiscard]] inline codec::Prediction beside_staging(codec::Prediction prediction,
                                                      std::size_t bytes) {
  const double staged = device_seconds(bytes, prediction.ratio).staged;
  prediction.encode_seconds = std::max(0.0, prediction.encode_seconds - staged);
  prediction.decode_seconds = std::max(0.0, prediction.decode_seconds - staged);
  return prediction;
}

// Of a collective, what one GPU codes at once: enough to keep it busy, and several of them hide
// behind each other's transfers.
inline constexpr std::size_t device_chunk_bytes = std::size_t{4} << 20;
[[nodiscard]] inline std::size_t device_chunks(std::size_t bytes) {
  return std::max<std::size_t>(1, (bytes + device_chunk_bytes - 1) / device_chunk_bytes);
}

// How a collective goes whose ranks have their values on GPUs.
struct DeviceSchedule {
  Algorithm algorithm;
  std::size_t chunks;    // of each piece
  double calls;          // to encode, add or decode, one after the other
  double crossings = 2;  // of a bus by a message that is staged, one after the other
};
// Of a reduction by a ring, whose longest piece has so many bytes.
[[nodiscard]] inline DeviceSchedule ring_schedule(const Facts& facts, std::size_t longest_piece) {
  const std::size_t chunks = device_chunks(longest_piece);
  return {Algorithm::ring, chunks, 2.0 * facts.ranks * static_cast<double>(chunks)};
}
// ... and of an Allreduce by recursive doubling: fewer calls of the device for more bytes.
[[nodiscard]] inline DeviceSchedule doubling_schedule(const Facts& facts) {
  const auto ranks = static_cast<unsigned>(facts.ranks);
  const int steps =
      static_cast<int>(std::bit_width(ranks)) - 1 + (std::has_single_bit(ranks) ? 0 : 1);
  const std::size_t chunks = device_chunks(facts.bytes);
  return {Algorithm::recursive_doubling, chunks, static_cast<double>(chunks) * (2 + steps)};
}
// Of an operation that moves data, for the rank that has most to do.
[[nodiscard]] inline DeviceSchedule movement_schedule(const Facts& facts) {
  const int others = facts.ranks - 1;
  int coded = 2;  // messages, at either end
  int looks = 1;  // at messages that are to be encoded
  if (facts.operation == Operation::gather) coded = 1 + others;
  if (facts.operation == Operation::allgather) coded = 1 + facts.ranks;
  if (facts.operation == Operation::scatter) coded = (looks = others) + 1;
  if (facts.operation == Operation::alltoall) coded = 2 * (looks = others);
  const std::size_t chunks = device_chunks(facts.bytes);
  return {Algorithm::automatic, chunks, static_cast<double>(chunks) * coded + looks - 1,
          static_cast<double>(coded)};
}
// Until all ranks have it there, what is to be known of the values before included.
[[nodiscard]] inline double schedule_seconds(const Facts& facts, const DeviceSchedule& schedule,
                                             double ratio) {
  const double coding = device_seconds(facts.bytes, ratio).coded - device_call_seconds;
  Speeds speeds;
  speeds.encode = coding / static_cast<double>(facts.bytes);
  speeds.merge = speeds.combine = speeds.decode = speeds.encode;
  speeds.ratio = ratio;
  return device_look_seconds(facts.bytes) + schedule.calls * device_call_seconds +
         compressed_seconds(facts, speeds, schedule.algorithm, schedule.chunks);
}
// The same by MPI, on images of the values on the host.
[[nodiscard]] inline double staged_seconds(const Facts& facts, const DeviceSchedule& schedule) {
  return raw_seconds(facts) + schedule.crossings * device_seconds(facts.bytes, 1).staged;
}

// Whether that is worth leaving MPI's own way.
[[nodiscard]] inline bool pays_on_devices(const Facts& facts, const DeviceSchedule& schedule,
                                          double ratio) {
  // Less is told by chance.
  constexpr double least_ratio = 1.1;
  return ratio >= least_ratio &&
         schedule_seconds(facts, schedule, ratio) < gain_to_start * staged_seconds(facts, schedule);
}

}  // namespace tightwire::policy
