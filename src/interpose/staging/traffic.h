// What has been copied from and to devices, for the report.
#pragma once

#include <atomic>
#include <cstdint>

namespace tightwire::staging {

struct Traffic {
  std::atomic<std::uint64_t> calls{0};    // with a buffer on a device
  std::atomic<std::uint64_t> fetched{0};  // bytes, to the host
  std::atomic<std::uint64_t> put{0};      // bytes, to the device
};

[[nodiscard]] inline Traffic& traffic() {
  static Traffic all;
  return all;
}

}  // namespace tightwire::staging
