// Tells the program's own MPI calls from those that are made inside another MPI call.
#pragma once

namespace tightwire::interpose {

class Guard {
 public:
  Guard() : outermost_(depth_++ == 0) {}
  ~Guard() { --depth_; }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  [[nodiscard]] bool outermost() const { return outermost_; }

 private:
  // The library is always loaded at program start, so the fast model is safe.
  [[gnu::tls_model("initial-exec")]] static inline thread_local int depth_ = 0;

  bool outermost_;
};

}  // namespace tightwire::interpose
