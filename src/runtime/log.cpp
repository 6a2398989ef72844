#include "runtime/log.h"

#include <chrono>
#include <cstdio>
#include <thread>

#include "os/signals.h"
#include "runtime/runtime.h"

namespace tightwire::runtime {

void log(std::string_view text) {
  const os::WriteErrorsReturn write_errors_return;
  std::fprintf(stderr, "tightwire: rank %d: %.*s\n", current().rank, static_cast<int>(text.size()),
               text.data());
}

void log_last_words(std::string_view text) {
  log(text);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
}

}  // namespace tightwire::runtime
