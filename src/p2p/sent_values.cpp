#include "p2p/sent_values.h"

#include <algorithm>

#include "collective/byte_parts.h"
#include "p2p/engine.h"
#include "p2p/packing.h"
#include "p2p/type_facts.h"

namespace tightwire::p2p {

SentValues::SentValues(const collective::UserBuffer& user)
    : size_(user.bytes()), address_(user.address) {
  if (collective::predefined(user.datatype)) {
    take_row({static_cast<const std::byte*>(user.address), size_});
    return;
  }
  layout_ = layout_of(user);
  if (!layout_) {
    in_place_ = false;
    packed_ = engine().pool.insist(size_);
    pack(user, packed_.bytes());
    take_row(packed_.bytes());
    return;
  }
  if (const auto row = row_of(*layout_, user.address)) {
    layout_.reset();
    take_row(*row);
    return;
  }
  in_place_ = false;
  name_ = {reinterpret_cast<std::uintptr_t>(address_) +
               static_cast<std::uintptr_t>(layout_->first()) + layout_->fingerprint(),
           size_};
}

SentValues::SentValues(std::span<const std::byte> row) : size_(row.size()), address_(row.data()) {
  take_row(row);
}

void SentValues::take_row(std::span<const std::byte> row) {
  row_ = row;
  name_ = codec::EstimateMemory::name_of(row);
}

std::span<const std::byte> SentValues::all() {
  if (row_.empty() && size_ > 0) {
    packed_ = engine().pool.insist(size_);
    layout_->pack(address_, 0, packed_.bytes());
    row_ = packed_.bytes();
  }
  return row_;
}

void SentValues::copy(std::size_t begin, std::span<std::byte> bytes) const {
  if (row_.empty()) return layout_->pack(address_, begin, bytes);
  std::ranges::copy(row_.subspan(begin, bytes.size()), bytes.begin());
}

Pool::Lease SentValues::room_for_chunk(std::size_t chunks) const {
  if (!row_.empty()) return {};
  return engine().pool.insist(collective::longest_byte_part(size_, chunks));
}

std::span<const std::byte> SentValues::chunk(std::size_t chunks, std::size_t index,
                                             const Pool::Lease& room) const {
  if (!row_.empty()) return collective::byte_part(row_, chunks, index);
  const collective::Part part = collective::byte_range(size_, chunks, index);
  const std::span<std::byte> packed = room.bytes().first(part.count);
  copy(part.begin, packed);
  return packed;
}

void SentValues::release() {
  row_ = {};
  packed_ = {};
}

}  // namespace tightwire::p2p
