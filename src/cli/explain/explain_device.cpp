#include "cli/explain/explain_device.h"

#include <array>
#include <cstdio>

#include "policy/device/cost.h"

namespace tightwire::cli {
namespace {

constexpr double assumed_ratio = 4;

std::string staged_text(std::uint64_t bytes) {
  std::array<char, 300> text{};
  std::snprintf(text.data(), text.size(),
                "In the memory of a GPU: staged through pinned memory of the host. A copy of the "
                "whole takes %.3g ms at an assumed 25 GB/s, there and back twice that, before and "
                "after all that the table has, plain MPI included; calls do not overlap with it.\n",
                1e3 * static_cast<double>(bytes) / policy::bus_speed);
  return text.data();
}

std::string coded_text(std::uint64_t bytes) {
  std::array<char, 400> text{};
  const policy::DeviceSeconds seconds = policy::device_seconds(bytes, assumed_ratio);
  std::snprintf(text.data(), text.size(),
                "In the memory of a GPU, floating-point values within an error bound are encoded "
                "and decoded there (device = compress). If they become %.0f times as short, the "
                "GPU and the bus take %.3g ms at each end, where staging takes %.3g ms.\n"
                "All else:\n",
                assumed_ratio, 1e3 * seconds.coded, 1e3 * seconds.staged);
  return text.data() + staged_text(bytes);
}

// Who has to have the values on GPUs that carry such a call out; nullptr where none does.
const char* owners_of(policy::Operation operation) {
  using policy::Operation;
  switch (operation) {
    case Operation::bcast:
    case Operation::scatter:
      return "the root has";
    case Operation::gather:
      return "all but the root have";
    case Operation::allreduce:
    case Operation::reduce:
    case Operation::reduce_scatter:
    case Operation::allgather:
    case Operation::alltoall:
      return "all ranks have";
    default:
      return nullptr;
  }
}

std::string carried_out_text(policy::Operation operation, std::uint64_t bytes) {
  const bool sums = policy::is_reduction(operation);
  // A GPU encodes, adds or decodes each value of a sum about twice.
  const double times = sums ? 2 : 1;
  std::array<char, 500> text{};
  std::snprintf(
      text.data(), text.size(),
      "In the memory of a GPU, floating-point values within an error bound%s: carried out "
      "by GPUs where %s them there, as long as that is sooner than the way of the host "
      "(device = compress). If they become %.0f times as short, the GPU and the bus take "
      "%.3g ms of %s.\nAll else:\n",
      sums ? ", with MPI_SUM" : "", owners_of(operation), assumed_ratio,
      1e3 * times * policy::device_seconds(bytes, assumed_ratio).coded,
      sums ? "it on each rank" : "each message at either end");
  return text.data() + staged_text(bytes);
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
  if (device == settings::Device::compress && message) return coded_text(bytes);
  if (device == settings::Device::compress && owners_of(operation) != nullptr) {
    return carried_out_text(operation, bytes);
  }
  return staged_text(bytes);
}

}  // namespace tightwire::cli
