// Any bytes as a message between two ranks, as the trailing bytes of one, and as what a sender says
// of lengths, with and without the right checksums. Goes the way of a receive, see
// p2p/transfer/incoming.cpp.
#include <xxhash.h>

#include "input.h"
#include "mpi/byte_parts.h"
#include "wire/fields.h"
#include "wire/lengths/announced_length.h"
#include "wire/trailer.h"

namespace {

using namespace tightwire;
using fuzz::require;
using Bytes = std::vector<std::byte>;

constexpr std::size_t largest = std::size_t{1} << 20;

void repair(Bytes& message) {
  const auto trailer = std::span(message).last(wire::trailer_size);
  const auto payload_bytes = wire::get<std::uint64_t>(trailer, 8);
  // SZ3 is let out: a forged checksum leads into code that trusts its input, see
  // codec/adapters/sz3.cpp.
  const bool coded = trailer[32] == std::byte{2} && trailer[33] != std::byte{3};
  if (coded && message.size() >= wire::overhead(false) &&
      payload_bytes <= message.size() - wire::overhead(false)) {
    wire::put(trailer, 16, XXH3_64bits(message.data() + wire::mark_size, payload_bytes));
  }
  wire::put(trailer, 48, XXH3_64bits(trailer.data(), 48));
}

void decode(const wire::ReadTrailer& read, std::span<const std::byte> message) {
  const wire::Trailer& trailer = read.trailer;
  require(trailer.payload_bytes <= message.size() - wire::overhead(trailer.has_history),
          "the payload is in the message");
  require(trailer.value_bytes >= message.size(), "a message never grows");
  const auto payload = message.subspan(wire::mark_size, trailer.payload_bytes);
  const codec::Codec* codec = codec::find(trailer.codec);
  if (!read.matches(payload) || codec == nullptr || !codec->supports(trailer.type)) return;
  if (trailer.value_bytes > largest) return;  // more than the receive has room for
  const std::size_t chunks = std::max<std::size_t>(trailer.chunks, 1);
  Bytes values(mpi::byte_range(trailer.value_bytes, chunks, 0).count);
  require(chunks > 1 || values.size() == trailer.value_bytes, "one chunk is the whole");
  (void)codec->decode(trailer.type, payload, values);
}

void look_back(std::span<const std::byte> message, const wire::Trailer& trailer) {
  const auto end = message.last(wire::end_size(trailer.has_history));
  const auto block = wire::read_history(end.first(wire::history_size));
  if (!block) return;
  require(block->references <= codec::most_references, "as many as a codec takes");
  require(block->oldest <= block->number, "what is needed has been");
}

void receive(std::span<const std::byte> message, std::span<const std::byte> trailing) {
  if (message.size() < wire::trailer_size || !wire::looks_framed(message)) return;
  const auto read = wire::read_trailer(message.last(wire::trailer_size), message.size());
  if (!read.problem && read.trailer.has_history) look_back(message, read.trailer);
  if (read.problem) {
    require(!wire::describe(*read.problem).empty(), "a problem has words");
  } else if (read.trailer.kind == wire::FrameKind::encoded) {
    decode(read, message);
  } else {
    require(read.trailer.value_bytes >= message.size(), "a message never grows");
    require(read.trailer.value_bytes <= 2 * message.size(), "most of it is in the frame");
    require(read.trailer.payload_bytes < message.size(), "the payload is in the message");
    (void)wire::read_trailing_bytes(trailing, read.trailer.tag);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const bool repaired = input.byte() % 2 == 0;
  const Bytes trailing = input.take(input.byte());
  Bytes message = input.rest();
  if (repaired && message.size() >= wire::trailer_size) repair(message);
  receive(message, trailing);
  const auto announced = wire::read_announcement(message);
  require(!announced || announced->length <= announced->message_bytes, "no message is shorter");
  return 0;
}
