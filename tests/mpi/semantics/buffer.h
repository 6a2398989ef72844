// Memory for a message with guards around it, and what is found there afterwards.
#pragma once

#include <string>
#include <vector>

#include "layout.h"

namespace semantics {

class Buffer {
 public:
  Buffer(const Signature& signature, const Placement& placement);

  // Every byte back to the pattern that shows what was written.
  void wipe();
  // Puts the packed elements in their places.
  void put(const std::vector<std::byte>& packed);

  [[nodiscard]] MPI_Datatype type() { return layout_.type(start()); }
  [[nodiscard]] void* address() { return layout_.address(start()); }
  [[nodiscard]] int count() const { return layout_.count(); }

  // Guards and gaps included.
  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

  // "ok" if `bytes` (a copy of this buffer's) is the pattern with the packed elements in their
  // places, else what differs. With a bound, values may err by that much.
  [[nodiscard]] std::string compare(std::vector<std::byte> bytes,
                                    const std::vector<std::byte>& packed, double bound) const;
  // The same where the elements' own places may hold anything.
  [[nodiscard]] std::string compare_outside(std::vector<std::byte> bytes) const;

 private:
  [[nodiscard]] std::byte* start();

  Layout layout_;
  std::vector<std::byte> bytes_;
};

[[nodiscard]] std::string hash_of(const std::vector<std::byte>& bytes);

}  // namespace semantics
