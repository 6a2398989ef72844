// What follows the first frame of a message in chunks.
#include <vector>

#include "mpi/byte_parts.h"
#include "mpi/encoding/early_send.h"
#include "p2p/state/channel.h"
#include "p2p/state/deferred_sends.h"
#include "p2p/state/message_pool.h"
#include "p2p/transfer/outgoing.h"
#include "runtime/crew/together.h"
#include "runtime/report/phase.h"
#include "runtime/runtime.h"
#include "wire/pack.h"

namespace tightwire::p2p {

std::vector<Outgoing::Place> Outgoing::make_places() const {
  const codec::Encoding& encoding = encoding_.encoding;
  const std::size_t longest = mpi::longest_byte_part(values_.size(), chunks_);
  // Early compression has a helper of its own.
  std::vector<Place> places(early_.tracked() ? 1 : runtime::places_together(chunks_ - 1));
  for (Place& place : places) {
    place.values = values_.room_for_chunk(chunks_);
    place.memory =
        message_pool().insist(wire::packing_size(*encoding.codec, encoding.type, longest));
  }
  return places;
}

void Outgoing::encode_chunk(std::size_t chunk, Place& place) {
  // follow() tells the program of it.
  if (!values_.has_chunk(chunks_, chunk)) {
    place.size = wire::write_failure(
        place.memory.bytes(), static_cast<std::uint32_t>(chunk),
        {static_cast<std::uint32_t>(runtime::current().rank), wire::Problem::undecodable});
    return;
  }
  const std::span<const std::byte> values = values_.chunk(chunks_, chunk, place.values);
  const runtime::MessagePhase phase(runtime::Phase::encode, values.size());
  place.size = with_references(chunk, [&](const codec::Encoding& encoding) {
    return mpi::pack_early(early_, chunk, encoding, values, static_cast<std::uint32_t>(chunk),
                           place.memory.bytes());
  });
  place.seconds = phase.seconds();
}

void Outgoing::follow() {
  if (trailing_ > 0) return post_trailing_bytes();
  std::vector<Place> places = make_places();
  const auto place_of = [&](std::size_t item) -> Place& { return places[item % places.size()]; };
  std::size_t bytes_after = static_cast<std::size_t>(segments_.count());
  runtime::Crew::Items items{chunks_ - 1, places.size(), {}, {}};
  items.work = [&](std::size_t item) { encode_chunk(item + 1, place_of(item)); };
  items.deliver = [&](std::size_t item) {
    const Place& place = place_of(item);
    deferred_sends().post(place.memory.bytes().first(place.size), world_rank_,
                          static_cast<int>(tag_));
    deferred_sends().progress_few(chunks_);
    bytes_after += place.size;
    encoding_seconds_ += place.seconds;
  };
  runtime::work_together(items, values_.size());
  add_statistics(bytes_after);
  early_ = {};
  chunks_ = 1;
  values_.check();
  end_history();
  values_.release();
}

}  // namespace tightwire::p2p
