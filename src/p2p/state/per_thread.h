// Objects of which each thread has one.
#pragma once

namespace tightwire::p2p {

// Made where the thread first asks for it, and once more where it does so while its objects are
// being destroyed: MPI may be called to the very end.
template <class T>
[[nodiscard]] T& per_thread() {
  // The library is always loaded at program start, so the fast model is safe.
  [[gnu::tls_model("initial-exec")]] static thread_local T* object = nullptr;
  if (object != nullptr) [[likely]]
    return *object;
  struct Owner {
    ~Owner() {
      delete object;
      object = nullptr;
    }
    void hold(T* made) { object = made; }
  };
  static thread_local Owner owner;
  owner.hold(new T);
  return *object;
}

}  // namespace tightwire::p2p
