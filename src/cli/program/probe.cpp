#include "cli/program/probe.h"

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <cstdio>
#include <string_view>

#include "os/child.h"

namespace tightwire::cli {
namespace {

constexpr std::chrono::seconds limit{20};

int load(const std::string& library) {
  if (::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr) return 0;
  std::fputs(::dlerror(), stdout);
  std::fflush(stdout);
  return 1;
}

int print_path(const std::string& name) {
  void* handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  link_map* map = nullptr;
  if (handle == nullptr || ::dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) return 1;
  std::fputs(map->l_name, stdout);
  std::fflush(stdout);
  return 0;
}

// MPI 4.0, section 9.1.1: may be called before MPI_Init. The longest answer of either family.
int print_mpi_version(const std::string& library) {
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (handle == nullptr) return 1;
  using Function = int (*)(char*, int*);
  const auto function = reinterpret_cast<Function>(::dlsym(handle, "MPI_Get_library_version"));
  if (function == nullptr) return 1;
  static std::array<char, 1 << 16> text{};
  int length = 0;
  if (function(text.data(), &length) != 0) return 1;
  std::fputs(text.data(), stdout);
  std::fflush(stdout);
  return 0;
}

// "Open MPI v4.1.4, package: ..." or "MPICH Version:\t4.0.2\nMPICH Release date: ..."
std::string shortened(std::string_view text) {
  text = text.substr(0, text.find_first_of(",\n"));
  std::string result;
  for (const char letter : text) {
    result += letter == '\t' ? ' ' : letter;
  }
  return result;
}

}  // namespace

std::string try_to_load(const std::string& library) {
  const os::ChildResult child = os::run_in_child([&] { return load(library); }, limit);
  if (child.ok()) return "";
  if (!child.output.empty()) return child.output;
  if (child.timed_out) return "loading it does not end";
  return "loading it ends with signal " + std::to_string(child.signal);
}

std::string path_when_loaded(const std::string& name) {
  const os::ChildResult child = os::run_in_child([&] { return print_path(name); }, limit);
  return child.ok() ? child.output : "";
}

std::string mpi_version(const std::string& library) {
  const os::ChildResult child = os::run_in_child([&] { return print_mpi_version(library); }, limit);
  return child.ok() ? shortened(child.output) : "";
}

}  // namespace tightwire::cli
