// Where the elements of a message lie in a rank's memory, and the MPI datatype that says so.
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

#include "plan.h"

namespace semantics {

// Bytes of one element as it counts in a message.
[[nodiscard]] std::size_t size_of(Base base);

class Layout {
 public:
  // Room for signature.count elements.
  Layout(const Signature& signature, const Placement& placement);
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;
  ~Layout();

  // The datatype, made on the first call; `start` is the address of the first byte.
  [[nodiscard]] MPI_Datatype type(void* start);
  // What to pass to MPI with it.
  [[nodiscard]] void* address(void* start) const { return absolute_ ? MPI_BOTTOM : start; }
  [[nodiscard]] int count() const { return count_; }

  [[nodiscard]] std::size_t span() const { return span_; }
  [[nodiscard]] const Signature& signature() const { return signature_; }

  // Places the first elements of a message, packed without gaps, into memory, or takes them out.
  void scatter(std::span<const std::byte> packed, std::byte* start) const;
  void gather(const std::byte* start, std::span<std::byte> packed) const;

 private:
  struct Run {
    std::size_t offset;
    std::size_t elements;
  };
  struct Part {  // of an element
    std::size_t offset;
    std::size_t size;
  };

  void choose_element(std::uint64_t seed);
  void choose_runs(const Placement& placement);
  void strided_runs(const Placement& placement);
  void uneven_runs(const Placement& placement);
  [[nodiscard]] MPI_Datatype make_element() const;
  [[nodiscard]] MPI_Datatype make_type(MPI_Datatype element, const std::byte* start) const;
  // Calls place(packed offset, memory offset, size) for every piece of the first `bytes` bytes.
  template <class F>
  void each_piece(std::size_t bytes, const F& place) const;

  Signature signature_;
  Shape shape_;
  std::vector<Part> parts_;
  std::size_t extent_ = 0;
  std::vector<Run> runs_;
  std::size_t stride_ = 0;  // of vector and strided, in bytes
  std::size_t span_ = 0;
  int count_ = 1;
  bool absolute_ = false;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace semantics
