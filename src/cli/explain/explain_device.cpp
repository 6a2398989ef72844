#include "cli/explain/explain_device.h"

#include <array>
#include <cstdio>

namespace tightwire::cli {
namespace {

constexpr double assumed_bus = 25e9;  // bytes per second: 16 lanes of PCIe 4, as they are mostly

std::string staged_text(std::uint64_t bytes) {
  std::array<char, 300> text{};
  std::snprintf(text.data(), text.size(),
                "In the memory of a GPU: staged through pinned memory of the host. A copy of the "
                "whole takes %.3g ms at an assumed 25 GB/s, there and back twice that, before and "
                "after all that the table has, plain MPI included; calls do not overlap with it.\n",
                1e3 * static_cast<double>(bytes) / assumed_bus);
  return text.data();
}

}  // namespace

std::string device_text(settings::Device device, policy::Operation operation, std::uint64_t bytes) {
  const bool message = operation == policy::Operation::send;
  if (device == settings::Device::off) {
    return message ? "In the memory of a GPU: it goes to MPI as it is (device = off).\n"
                   : "In a job with GPUs: plain MPI, wherever the buffers are (device = off).\n";
  }
  if (device == settings::Device::automatic && message) {
    return "In the memory of a GPU, where MPI says that it reaches there: MPI's alone (device = "
           "auto). Where it does not, or says nothing:\n" +
           staged_text(bytes);
  }
  return staged_text(bytes);
}

}  // namespace tightwire::cli
