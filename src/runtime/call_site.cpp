#include "runtime/call_site.h"

#include <dlfcn.h>
#include <unwind.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace tightwire::runtime {
namespace {

// MPI's own libraries and this one.
bool is_inner_object(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (const std::string_view inner :
       {"libmpi", "libopen-", "libompi", "libpmpi", "libfmpich", "libtightwire-"}) {
    if (name.starts_with(inner)) return true;
  }
  return false;
}

bool ask_whether_inner(const void* address) {
  Dl_info info{};
  const auto* const before = static_cast<const char*>(address) - 1;
  return ::dladdr(before, &info) != 0 && info.dli_fname != nullptr &&
         is_inner_object(info.dli_fname);
}

// Remembered, as calls come from few places.
bool is_inner(const void* address) {
  struct Known {
    const void* address;
    bool inner;
  };
  constexpr std::size_t size = 64;
  [[gnu::tls_model("initial-exec")]] static thread_local std::array<Known, size> known{};
  Known& entry = known[reinterpret_cast<std::uintptr_t>(address) / 4 % size];
  if (entry.address != address) entry = {address, ask_whether_inner(address)};
  return entry.inner;
}

struct Walk {
  const void* from;
  bool reached = false;
  const void* found = nullptr;
};

_Unwind_Reason_Code look(_Unwind_Context* context, void* argument) {
  auto& walk = *static_cast<Walk*>(argument);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the unwinder tells addresses as numbers
  const auto* const address = reinterpret_cast<const void*>(_Unwind_GetIP(context));
  walk.reached = walk.reached || address == walk.from;
  if (!walk.reached || is_inner(address)) return _URC_NO_REASON;
  walk.found = address;
  return _URC_END_OF_STACK;
}

}  // namespace

const void* program_call_site() {
  const void* const noted = detail::noted_call_site;
  if (noted == nullptr || !is_inner(noted)) return noted;
  Walk walk{noted};
  _Unwind_Backtrace(look, &walk);
  return walk.found != nullptr ? walk.found : noted;
}

}  // namespace tightwire::runtime
