#include "interpose/profiling_tool.h"

#include <dlfcn.h>

namespace tightwire::interpose {
namespace {

// The address where the object is loaded that holds `symbol`.
const void* object_of(const void* symbol) {
  Dl_info place{};
  return symbol != nullptr && dladdr(symbol, &place) != 0 ? place.dli_fbase : nullptr;
}

// Whether the object that holds `symbol` defines `name` itself; so it is said of one that cannot be
// asked, too.
bool defines(const void* symbol, const char* name) {
  Dl_info place{};
  if (dladdr(symbol, &place) == 0 || place.dli_fname == nullptr) return true;
  void* object = dlopen(place.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  if (object == nullptr) return true;
  // Found in the object first, then in those that it needs.
  const void* found = dlsym(object, name);
  dlclose(object);
  return object_of(found) == place.dli_fbase;
}

}  // namespace

void* function_of_tool(void* next, const char* profiling_name) {
  return next == nullptr || defines(next, profiling_name) ? nullptr : next;
}

}  // namespace tightwire::interpose
