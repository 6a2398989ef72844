#include "p2p/transfer/buffer/send_buffer.h"

#include <algorithm>

#include "mpi/byte_parts.h"
#include "mpi/datatype/datatype_cache.h"
#include "mpi/datatype/pack.h"
#include "p2p/state/message_pool.h"
#include "wire/trailer.h"

namespace tightwire::p2p {

SendBuffer::SendBuffer(const mpi::Buffer& user)
    : size_(user.bytes()), address_(user.host_in_pieces()) {
  if (mpi::predefined(user.datatype)) {
    coded_ = mpi::coded_buffer_at(address_);
    pieces_ = mpi::pieces_at(address_);
    take_contiguous({static_cast<const std::byte*>(address_), size_});
    return;
  }
  mpi::fetch_left(user);
  layout_ = mpi::layout_of(user);
  if (!layout_) {
    in_place_ = false;
    packed_ = message_pool().insist(size_);
    pack(user, packed_.bytes());
    take_contiguous(packed_.bytes());
    return;
  }
  if (const auto contiguous = mpi::contiguous_memory_of(*layout_, user)) {
    layout_.reset();
    take_contiguous(*contiguous);
    return;
  }
  in_place_ = false;
  name_ = {reinterpret_cast<std::uintptr_t>(address_) +
               static_cast<std::uintptr_t>(layout_->first()) + layout_->fingerprint(),
           size_};
}

SendBuffer::SendBuffer(std::span<const std::byte> contiguous)
    : size_(contiguous.size()), address_(contiguous.data()) {
  take_contiguous(contiguous);
}

void SendBuffer::take_contiguous(std::span<const std::byte> contiguous) {
  contiguous_ = contiguous;
  name_ = codec::EstimateMemory::name_of(contiguous);
}

void SendBuffer::settle() const {
  if (coded_ != nullptr) coded_->fetch();
  if (pieces_ != nullptr) pieces_->wait_for_all();
}

void SendBuffer::settle(std::span<const std::byte> part) const {
  if (coded_ != nullptr) coded_->fetch();
  if (pieces_ != nullptr) pieces_->wait_for(part);
}

std::span<const std::byte> SendBuffer::first_here() const {
  if (pieces_ == nullptr) {
    settle();
    return contiguous_;
  }
  const auto first = contiguous_.first(std::min(size_, mpi::Pieces::size_of_one));
  settle(first);
  return first;
}

bool SendBuffer::has_chunk(std::size_t chunks, std::size_t index) const {
  return pieces_ == nullptr || pieces_->is_here(mpi::byte_part(contiguous_, chunks, index));
}

void SendBuffer::check() const {
  if (pieces_ != nullptr) pieces_->wait_for_all();
}

std::span<const std::byte> SendBuffer::all() {
  settle();
  if (contiguous_.empty() && size_ > 0) {
    packed_ = message_pool().insist(size_);
    layout_->pack(address_, 0, packed_.bytes());
    contiguous_ = packed_.bytes();
  }
  return contiguous_;
}

void SendBuffer::copy(std::size_t begin, std::span<std::byte> bytes) const {
  settle();
  if (contiguous_.empty()) return layout_->pack(address_, begin, bytes);
  std::ranges::copy(contiguous_.subspan(begin, bytes.size()), bytes.begin());
}

mpi::BufferPool::Lease SendBuffer::room_for_chunk(std::size_t chunks) const {
  if (!contiguous_.empty()) return {};
  return message_pool().insist(mpi::longest_byte_part(size_, chunks));
}

std::span<const std::byte> SendBuffer::chunk(std::size_t chunks, std::size_t index,
                                             const mpi::BufferPool::Lease& room) const {
  if (!contiguous_.empty()) {
    const std::span<const std::byte> part = mpi::byte_part(contiguous_, chunks, index);
    settle(part);
    return part;
  }
  settle();
  const mpi::Part part = mpi::byte_range(size_, chunks, index);
  const std::span<std::byte> packed = room.bytes().first(part.count);
  copy(part.begin, packed);
  return packed;
}

void SendBuffer::release() {
  contiguous_ = {};
  packed_ = {};
}

// Marks stand at the front and the end.
bool looks_framed(const SendBuffer& values) {
  return wire::looks_framed(values.ends<wire::mark_size>());
}

}  // namespace tightwire::p2p
