// The doctor on memory of GPUs: whether this host has such a thing, and what becomes of it.
#include <unistd.h>

#include "cli/doctor/checks.h"
#include "settings/text.h"

namespace tightwire::cli {
namespace {

std::string consequence(settings::Device device) {
  if (device == settings::Device::off) {
    return "buffers there go to MPI as they are, and collectives of a job with GPUs are not "
           "compressed";
  }
  return "buffers there are staged through the host, and compressed there";
}

}  // namespace

void check_device(const settings::Settings& settings, Findings& findings) {
  const bool has_gpu = ::access("/dev/nvidiactl", F_OK) == 0;
  findings.push_back({Verdict::note, "GPUs",
                      std::string(has_gpu ? "this host has NVIDIA's driver" : "none on this host") +
                          " (device = " + settings::print(settings.device) +
                          "): " + consequence(settings.device)});
}

}  // namespace tightwire::cli
