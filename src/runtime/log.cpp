#include "runtime/log.h"

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "runtime/runtime.h"

namespace tightwire::runtime {

void log(std::string_view text) {
  std::string line = "tightwire: rank " + std::to_string(current().rank) + ": ";
  line.append(text).append("\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void log_last_words(std::string_view text) {
  log(text);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
}

}  // namespace tightwire::runtime
