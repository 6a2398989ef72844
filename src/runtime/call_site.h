// Where in the program the present call of MPI was made: a return address.
#pragma once

#include <atomic>

namespace tightwire::runtime {

namespace detail {
inline std::atomic<bool> call_sites_wanted{false};
// The library is always loaded at program start, so the fast model is safe.
[[gnu::tls_model("initial-exec")]] inline thread_local const void* noted_call_site = nullptr;
}  // namespace detail

// From the next call on; an audit wants them, and rules by call site.
inline void want_call_sites() {
  detail::call_sites_wanted.store(true, std::memory_order_relaxed);
}

// Each entry point tells where it was called from. Costs one relaxed load where nobody wants it.
inline void note_call_site(const void* return_address) {
  if (!detail::call_sites_wanted.load(std::memory_order_relaxed)) return;
  detail::noted_call_site = return_address;
}

// That of the call that this thread is in. Calls by way of MPI's own libraries, as Fortran's are,
// count as made by whoever called these. nullptr where no call was noted.
[[nodiscard]] const void* program_call_site();

}  // namespace tightwire::runtime
