// Objects of which a process has one.
#pragma once

#include <array>
#include <cstddef>
#include <new>

namespace tightwire::p2p {

// Made where it is first asked for, in memory that is there already. Never destroyed: threads of
// the program may outlive static destruction.
template <class T>
[[nodiscard]] T& process_wide() {
  alignas(T) static std::array<std::byte, sizeof(T)> memory;
  static T* const object = new (memory.data()) T;
  return *object;
}

}  // namespace tightwire::p2p
