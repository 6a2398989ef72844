// Streams of the driver that nothing uses at the moment.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <new>
#include <vector>

namespace tightwire::mpi::driver {

// Kept for the next copies, to each of which a stream of its own would add 5 to 10 us. Never
// destroyed by us: the driver may be gone by then. Thread safe.
class IdleStreams {
 public:
  // nullptr if there is none.
  [[nodiscard]] void* take(void* context) {
    const std::scoped_lock lock(mutex_);
    const auto idle = of_.find(context);
    if (idle == of_.end() || idle->second.empty()) return nullptr;
    void* const stream = idle->second.back();
    idle->second.pop_back();
    return stream;
  }
  // Whether it is kept.
  [[nodiscard]] bool keep(void* context, void* stream) noexcept try {
    const std::scoped_lock lock(mutex_);
    std::vector<void*>& idle = of_[context];
    if (idle.size() >= most) return false;
    idle.push_back(stream);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }

 private:
  static constexpr std::size_t most = 8;  // of a context

  std::mutex mutex_;
  std::map<void*, std::vector<void*>> of_;
};

}  // namespace tightwire::mpi::driver
