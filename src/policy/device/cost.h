// What a message costs that a GPU encodes and another one decodes, beside one that is staged. By
// measurement on an H200 (results/device.csv), rounded down; a bus as it is mostly.
#pragma once

#include <algorithm>
#include <cstddef>

#include "codec/estimate/estimate.h"
#include "policy/cost/cost.h"

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

// What a call takes whose ranks have their values on GPUs, by a ring in chunks: to find out what is
// to be known of the values, and each rank encodes, adds or decodes every segment twice.
[[nodiscard]] inline double device_ring_seconds(const Facts& facts, double ratio,
                                                std::size_t chunks) {
  const DeviceSeconds of_values = device_seconds(facts.bytes, ratio);
  const double coding = of_values.coded - device_call_seconds;
  Speeds speeds;
  speeds.encode = speeds.merge = speeds.decode = coding / static_cast<double>(facts.bytes);
  speeds.ratio = ratio;
  const double calls = 2.0 * facts.ranks * static_cast<double>(chunks) * device_call_seconds;
  return device_look_seconds(facts.bytes) + calls +
         compressed_seconds(facts, speeds, Algorithm::ring, chunks);
}
// The same by MPI, on images of the values on the host.
[[nodiscard]] inline double staged_seconds(const Facts& facts) {
  return raw_seconds(facts) + 2 * device_seconds(facts.bytes, 1).staged;
}

}  // namespace tightwire::policy
