#include "p2p/outgoing.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "p2p/coding.h"
#include "p2p/engine.h"
#include "p2p/packing.h"
#include "runtime/runtime.h"
#include "wire/trailer.h"

namespace tightwire::p2p {
namespace {

void put(std::span<std::byte> bytes, std::size_t at, std::span<const std::byte> part) {
  std::copy(part.begin(), part.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

}  // namespace

Outgoing::Outgoing(const collective::UserBuffer& user, const Route& route, int destination) {
  const auto start = std::chrono::steady_clock::now();
  const auto type = collective::predefined(user.datatype);
  const std::size_t size = user.bytes();
  std::span<const std::byte> values{static_cast<const std::byte*>(user.address), size};
  if (!type) {
    packed_ = engine().pool.insist(size);
    pack(user, packed_.bytes());
    values = packed_.bytes();
  }
  if (code(values, type)) {
    packed_ = {};
    return;
  }
  store(values, route.world_rank(destination));
  const std::chrono::nanoseconds elapsed = std::chrono::steady_clock::now() - start;
  runtime::current().statistics.count_passed(policy::Operation::send, size,
                                             static_cast<std::uint64_t>(elapsed.count()));
}

bool Outgoing::code(std::span<const std::byte> values,
                    const std::optional<collective::PredefinedType>& type) {
  const auto start = std::chrono::steady_clock::now();
  const MessageCoding chosen = coding_of(type, values);
  if (chosen.plan.tier == policy::Tier::raw) return false;
  const codec::Codec& codec = *chosen.coding.codec;
  const codec::ElementType element = chosen.coding.type;
  const std::size_t room =
      codec.max_encoded_size(element, values.size() / codec::element_size(element));
  memory_ = engine().pool.borrow(std::max(room, engine().threshold) + wire::trailer_size);
  if (!memory_) return false;
  const std::span<std::byte> bytes = memory_.bytes();
  const codec::Result encoded = codec.encode(element, values, chosen.coding.parameters, bytes);
  if (!encoded.ok() || encoded.size + wire::trailer_size > values.size()) return false;

  // Never below the threshold, where a message would be taken for one of the program's own.
  const std::size_t size = std::max(encoded.size + wire::trailer_size, engine().threshold);
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(encoded.size),
            bytes.begin() + static_cast<std::ptrdiff_t>(size), std::byte{0});
  const wire::Trailer trailer{wire::Carriage::coded, codec.id(),   element, codec.id(),
                              values.size(),         encoded.size, 0,       0};
  put(bytes, size - wire::trailer_size, wire::write_trailer(trailer, bytes.first(encoded.size)));
  row_ = Row(bytes.first(size));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  runtime::current().statistics.add({policy::Operation::send, chosen.plan, 1, values.size(),
                                     values.size(), size, elapsed.count(),
                                     chosen.coding.parameters.error_bound});
  return true;
}

void Outgoing::store(std::span<const std::byte> values, int world_rank) {
  const std::size_t kept = values.size() - wire::trailer_size;
  const std::uint32_t stream = engine().next_stream();
  engine().outbox.post(wire::write_tail(values.subspan(kept), stream), world_rank,
                       static_cast<int>(stream));
  const wire::Trailer trailer{wire::Carriage::stored,
                              codec::Id::raw,
                              codec::ElementType::bytes,
                              codec::Id::raw,
                              values.size(),
                              kept,
                              stream,
                              0};
  const auto written = wire::write_trailer(trailer, {});
  if (packed_) {
    memory_ = {};
    put(packed_.bytes(), kept, written);
    row_ = Row(packed_.bytes());
    return;
  }
  memory_ = engine().pool.insist(written.size());
  put(memory_.bytes(), 0, written);
  row_ = Row(values.first(kept), memory_.bytes());
}

}  // namespace tightwire::p2p
