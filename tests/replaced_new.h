// operator new and operator delete of a test program, which decides what memory there is.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

// Of the program's own: memory of std::malloc(), or nullptr.
void* memory_for_new(std::size_t size);

// To the analyzer, what gtest makes with new would be memory of malloc() that nobody frees.
#ifndef __clang_analyzer__
// GCC takes inlined halves of the pairs below for a mismatch.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

void* operator new(std::size_t size) {
  void* const memory = memory_for_new(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new[](std::size_t size) {
  return operator new(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return memory_for_new(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return memory_for_new(size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
#endif
