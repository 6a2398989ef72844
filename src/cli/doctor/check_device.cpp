// The doctor on memory of GPUs: whether this host has such a thing, and what becomes of it.
#include <unistd.h>

#include "cli/doctor/checks.h"
#include "cli/installation.h"
#include "settings/text.h"

namespace tightwire::cli {
namespace {

// The loader may find it elsewhere.
std::string plugin_text() {
  const std::string library = Installation().library_folder() + "/libtightwire_cuda.so";
  if (::access(library.c_str(), R_OK) == 0) return "that is by " + library;
  return "that needs libtightwire_cuda.so, which is not beside Tightwire's library: it is built "
         "with -DTIGHTWIRE_CUDA=ON";
}

std::string consequence(settings::Device device) {
  if (device == settings::Device::off) {
    return "buffers there go to MPI as they are, and collectives of a job with GPUs are not "
           "compressed";
  }
  if (device == settings::Device::compress) {
    return "messages between two ranks within an error bound are coded by the GPU, all else there "
           "is staged; " +
           plugin_text();
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
