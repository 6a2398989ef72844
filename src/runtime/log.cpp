#include "runtime/log.h"

#include <cstdio>
#include <string>

#include "runtime/runtime.h"

namespace tightwire::runtime {

void log(std::string_view text) {
  std::string line = "tightwire: rank " + std::to_string(current().rank) + ": ";
  line.append(text).append("\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace tightwire::runtime
