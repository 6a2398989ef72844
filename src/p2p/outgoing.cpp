#include "p2p/outgoing.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "collective/early_send.h"
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

Outgoing::Encoded Outgoing::encode(std::span<const std::byte> values,
                                   const collective::Coding& coding) {
  // What is packed lies elsewhere at every send.
  const std::size_t end = values.size();
  early::Send early =
      packed_ ? early::Send()
              : collective::begin_early(values, {&end, 1}, coding, {engine().link, false});
  if (const auto ready = early.take(0)) {
    memory_ = engine().pool.borrow(std::max(ready->payload.size(), engine().threshold) +
                                   wire::trailer_size);
    if (!memory_) return {};
    put(memory_.bytes(), 0, ready->payload);
    return {ready->codec, ready->payload.size()};
  }
  const auto start = std::chrono::steady_clock::now();
  const std::size_t count = values.size() / codec::element_size(coding.type);
  const std::size_t room = coding.codec->max_encoded_size(coding.type, count);
  memory_ = engine().pool.borrow(std::max(room, engine().threshold) + wire::trailer_size);
  if (!memory_) return {};
  const codec::Result made =
      coding.codec->encode(coding.type, values, coding.parameters, memory_.bytes());
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  if (!made.ok()) {
    // Known to be of no use, as long as nobody writes to it.
    early.keep(0, codec::Id::raw, {}, elapsed.count());
    return {};
  }
  early.keep(0, coding.codec->id(), memory_.bytes().first(made.size), elapsed.count());
  return {coding.codec->id(), made.size};
}

bool Outgoing::code(std::span<const std::byte> values,
                    const std::optional<collective::PredefinedType>& type) {
  const auto start = std::chrono::steady_clock::now();
  const MessageCoding chosen = coding_of(type, values);
  if (chosen.plan.tier == policy::Tier::raw) return false;
  const codec::Codec& codec = *chosen.coding.codec;
  const codec::ElementType element = chosen.coding.type;
  const Encoded encoded = encode(values, chosen.coding);
  if (encoded.codec == codec::Id::raw || encoded.size + wire::trailer_size > values.size())
    return false;
  const std::span<std::byte> bytes = memory_.bytes();
  // Never below the threshold, where a message would be taken for one of the program's own.
  const std::size_t size = std::max(encoded.size + wire::trailer_size, engine().threshold);
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(encoded.size),
            bytes.begin() + static_cast<std::ptrdiff_t>(size), std::byte{0});
  const wire::Trailer trailer{wire::Carriage::coded, encoded.codec, element, codec.id(),
                              values.size(),         encoded.size,  0,       0};
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
