// Where the bytes of a message lie in memory: a run of bytes, a layout repeated at a stride, or
// layouts one after another, nested at will. What an MPI datatype says, without MPI; any part of
// the packed bytes can be packed or unpacked by itself.
//
// That nested loops over a run say what most datatypes do is from Pearson et al., "TEMPI: An
// Interposed MPI Library with a Canonical Representation of CUDA-aware Datatypes" (HPDC 2021).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tightwire::mpi {

// A value that never changes: copies are cheap, and any number of threads may use one at once.
// Addresses are byte offsets from a base that is given at use, which may be null.
class StridedLayout {
 public:
  // Nothing at all.
  StridedLayout() = default;
  [[nodiscard]] static StridedLayout run(std::size_t bytes);
  // One after another, in this order.
  [[nodiscard]] static StridedLayout sequence(std::vector<StridedLayout> parts);
  // `count` times, each `stride` bytes from the one before.
  [[nodiscard]] StridedLayout repeated(std::size_t count, std::ptrdiff_t stride) const;
  [[nodiscard]] StridedLayout moved(std::ptrdiff_t bytes) const;

  // Of the packed bytes.
  [[nodiscard]] std::size_t size() const { return size_; }
  // Where it begins, if it is a single run.
  [[nodiscard]] std::optional<std::ptrdiff_t> single_run() const;
  // Where its first byte lies.
  [[nodiscard]] std::ptrdiff_t first() const { return offset_; }
  // The bytes that it has lie from lowest() on, before end(). Not if there are none.
  [[nodiscard]] std::ptrdiff_t lowest() const;
  [[nodiscard]] std::ptrdiff_t end() const;
  // Nestings, 0 for a run; and parts of sequences, in all nestings.
  [[nodiscard]] std::size_t depth() const;
  [[nodiscard]] std::size_t parts() const;
  // The same for equal layouts, and most likely another for others. Without first().
  [[nodiscard]] std::uint64_t fingerprint() const;

  // The packed bytes from `begin` on, and back. Not more than there are.
  void pack(const void* base, std::size_t begin, std::span<std::byte> packed) const;
  void unpack(std::span<const std::byte> packed, std::size_t begin, void* base) const;

  // Each run of bytes, in the order in which they are packed: visit(begin, bytes).
  void visit_runs(const std::function<void(std::ptrdiff_t, std::size_t)>& visit) const;

 private:
  struct Node;
  template <class Byte>
  struct Copy;

  static StridedLayout of(std::ptrdiff_t offset, std::size_t size, Node node);

  std::ptrdiff_t offset_ = 0;
  std::size_t size_ = 0;
  std::shared_ptr<const Node> node_;  // nullptr: a run
};

}  // namespace tightwire::mpi
