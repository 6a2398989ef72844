// What this process has staged of buffers on devices, for the report.
#pragma once

#include <atomic>
#include <cstdint>

namespace tightwire::runtime {

struct DeviceTraffic {
  std::atomic<std::uint64_t> calls{0};      // with such a buffer; starts of persistent requests
  std::atomic<std::uint64_t> to_host{0};    // bytes
  std::atomic<std::uint64_t> to_device{0};  // bytes
  std::atomic<std::uint64_t> encoded{0};    // bytes of values, by a device
  std::atomic<std::uint64_t> decoded{0};    // bytes of values, by a device
};

[[nodiscard]] inline DeviceTraffic& device_traffic() {
  static DeviceTraffic all;
  return all;
}

}  // namespace tightwire::runtime
