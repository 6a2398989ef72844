#include "early/memory/pinned_memory.h"

#include <fcntl.h>

#include <array>
#include <cstdlib>
#include <cstring>

namespace tightwire::early {

PinnedMemory::PinnedMemory() : status_(::open("/proc/self/status", O_RDONLY | O_CLOEXEC)) {}

bool PinnedMemory::any() const {
  constexpr const char* name = "VmPin:";
  std::array<char, 4096> text{};
  if (!status_.open() || pread(status_.get(), text.data(), text.size() - 1, 0) <= 0) return false;
  const char* const found = std::strstr(text.data(), name);
  return found != nullptr && std::strtoul(found + std::strlen(name), nullptr, 10) > 0;
}

}  // namespace tightwire::early
