#include "mpi/datatype/byte_segments.h"

#include <algorithm>
#include <climits>
#include <utility>
#include <vector>

#include "mpi/error.h"

namespace tightwire::mpi {
namespace {

// Blocks of a datatype are counted in int too.
void add_blocks(std::span<const std::byte> bytes, std::vector<int>& lengths,
                std::vector<MPI_Aint>& places) {
  constexpr std::size_t largest = std::size_t{1} << 30;
  for (std::size_t at = 0; at < bytes.size(); at += largest) {
    lengths.push_back(static_cast<int>(std::min(largest, bytes.size() - at)));
    MPI_Aint place = 0;
    check(PMPI_Get_address(bytes.data() + at, &place));
    places.push_back(place);
  }
}

}  // namespace

ByteSegments::ByteSegments(std::span<const std::byte> first, std::span<const std::byte> second) {
  if (second.empty() && first.size() <= INT_MAX) {
    address_ = const_cast<std::byte*>(first.data());
    count_ = static_cast<int>(first.size());
    return;
  }
  std::vector<int> lengths;
  std::vector<MPI_Aint> places;
  add_blocks(first, lengths, places);
  add_blocks(second, lengths, places);
  check(PMPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), places.data(),
                                  MPI_BYTE, &type_));
  own_type_ = true;
  check(PMPI_Type_commit(&type_));
  address_ = MPI_BOTTOM;
  count_ = 1;
}

ByteSegments::~ByteSegments() {
  if (own_type_) PMPI_Type_free(&type_);
}

ByteSegments::ByteSegments(ByteSegments&& other) noexcept
    : address_(other.address_),
      count_(other.count_),
      type_(other.type_),
      own_type_(std::exchange(other.own_type_, false)) {}

ByteSegments& ByteSegments::operator=(ByteSegments&& other) noexcept {
  std::swap(address_, other.address_);
  std::swap(count_, other.count_);
  std::swap(type_, other.type_);
  std::swap(own_type_, other.own_type_);
  return *this;
}

}  // namespace tightwire::mpi
