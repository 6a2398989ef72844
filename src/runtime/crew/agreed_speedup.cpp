// What ranks have agreed on of their helpers, as calls reckon with it.
#include "policy/cost/helpers.h"
#include "runtime/crew/together.h"
#include "runtime/runtime.h"

namespace tightwire::runtime {

double coding_speedup_of(double agreed, std::size_t bytes) {
  const bool alone = current().settings.threads.value == 1;
  return alone ? 1 : policy::coding_speedup_of_call(agreed, bytes);
}

double agreed_coding_speedup(std::size_t bytes) {
  return coding_speedup_of(current().agreed_speedup.load(std::memory_order_relaxed), bytes);
}

}  // namespace tightwire::runtime
