#include "p2p/transfer/outgoing.h"

#include <algorithm>
#include <vector>

#include "codec/codec_work.h"
#include "mpi/byte_parts.h"
#include "mpi/clock/own_seconds.h"
#include "mpi/datatype/datatype_cache.h"
#include "mpi/encoding/early_send.h"
#include "mpi/encoding/own_speeds.h"
#include "p2p/state/channel.h"
#include "p2p/state/deferred_sends.h"
#include "p2p/state/frame_rules.h"
#include "p2p/state/message_pool.h"
#include "p2p/state/sequence_numbers.h"
#include "p2p/transfer/framing.h"
#include "runtime/crew/together.h"
#include "runtime/report/phase.h"
#include "runtime/runtime.h"
#include "wire/lengths/frame_length.h"
#include "wire/pack.h"
#include "wire/trailer.h"

namespace tightwire::p2p {
namespace {

void put(std::span<std::byte> bytes, std::size_t at, std::span<const std::byte> part) {
  std::copy(part.begin(), part.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

// Whether there is memory for so much, when what has left is given back.
bool has_room(std::size_t size) {
  if (message_pool().has_room(size)) return true;
  deferred_sends().reap();
  return message_pool().has_room(size);
}

}  // namespace

Outgoing::Outgoing(const mpi::Buffer& user, const mpi::Route& route, const Envelope& envelope)
    : start_(Clock::now()),
      values_(user),
      mode_(envelope.mode),
      world_rank_(route.world_rank(envelope.destination)),
      bytes_(mode_ == SendMode::standard ? values_.size() : 0) {
  const bool needs_device = mode_ == SendMode::synchronous;
  encoding_.plan.why =
      why_unencoded(values_.size(), needs_device && values_.on_device() == nullptr);
  if (encoding_.plan.why == policy::Reason::none &&
      encode(mpi::element_of_message(user.datatype), route, envelope)) {
    if (!has_more()) values_.release();
    return;
  }
  pass_through(user);
  runtime::current().statistics.count_passed(policy::Operation::send, encoding_.plan.why,
                                             values_.size(), Clock::now() - start_);
}

bool Outgoing::encode(const std::optional<mpi::PredefinedType>& type, const mpi::Route& route,
                      const Envelope& envelope) {
  // MPI moves them without memory of ours.
  if (!values_.is_contiguous() && !has_room(values_.size())) return false;
  encoding_ = message_encoding(type, values_, route, envelope, &history_);
  if (encoding_.on_device && !encode_on_device()) {
    static_cast<void>(values_.all());
    encoding_ = message_encoding(type, values_, route, envelope, &history_);
  }
  if (encoding_.plan.tier == policy::Tier::raw) return false;
  is_encoded_ = true;  // or tried in vain, which takes its time, too
  begin_chunks();
  const Encoded encoded = encode_first();
  const std::size_t first = mpi::byte_range(values_.size(), chunks_, 0).count;
  if (encoded.codec == codec::Id::raw || frame_size(encoded.size) > first) {
    memory_ = {};
    end_on_device(false);
    chunks_ = 1;
    early_ = {};
    encoding_.plan.why = policy::Reason::no_gain;
    if (!history_.is_predicted()) remember(encoding_, values_, 1);
    history_.do_not_predict();
    return false;
  }
  if (!history_.is_predicted()) {
    remember(encoding_, values_, static_cast<double>(first) / static_cast<double>(encoded.size));
  }
  write_frame(encoded);
  end_on_device(true);
  // Of what follows some may still be on its way from a device.
  if (!has_more()) end_history();
  return true;
}

void Outgoing::end_history() {
  if (history_.is_open()) history_.pass(values_.all());
}

void Outgoing::begin_chunks() {
  if (on_device_) return;
  // What follows is kept until it has left, whatever it comes to.
  chunks_ = has_room(values_.size()) ? chunk_count() : 1;
  if (chunks_ == 1) static_cast<void>(values_.all());
  // What is packed lies elsewhere at every send; what earlier messages are like is not known
  // before.
  const bool as_given = values_.in_place() && !history_.is_predicted() && !keeps_decoded();
  if (as_given && mpi::codes_early()) {
    early_ = mpi::begin_early(values_.all(), chunks_, encoding_.encoding, encoding_.link);
  }
}

void Outgoing::write_frame(const Encoded& encoded) {
  const std::size_t size = frame_size(encoded.size);
  const std::span<std::byte> bytes = frame_memory();
  put(bytes, 0, wire::write_mark());
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(wire::mark_size + encoded.size),
            bytes.begin() + static_cast<std::ptrdiff_t>(size), std::byte{0});
  if (has_more()) tag_ = channel().next_tag();
  const wire::Trailer trailer = make_trailer(encoded);
  write_end(bytes.first(size).last(wire::end_size(trailer.has_history)), trailer,
            payload_room().first(encoded.size));
  segments_ = mpi::ByteSegments(bytes.first(size));
  if (!has_more()) {
    early_ = {};
    add_statistics(size);
  }
}

void Outgoing::write_end(std::span<std::byte> end, const wire::Trailer& trailer,
                         std::span<const std::byte> payload) {
  if (trailer.has_history) put(end, 0, wire::write_history(keep(payload)));
  put(end, end.size() - wire::trailer_size, wire::write_trailer(trailer, payload));
}

wire::Trailer Outgoing::make_trailer(const Encoded& encoded) const {
  return {wire::FrameKind::encoded,
          encoded.codec,
          encoding_.encoding.type,
          encoding_.encoding.codec->id(),
          values_.size(),
          encoded.size,
          tag_,
          static_cast<std::uint32_t>(chunks_),
          sequence_numbers().next(world_rank_),
          history_.to_keep()};
}

std::size_t Outgoing::chunk_count() {
  if (keeps_decoded()) return 1;
  const bool may_be_cut = values_.in_place() && mpi::codes_early();
  return may_be_cut ? mpi::early_chunks(values_.all(), encoding_.chunks) : encoding_.chunks;
}

bool Outgoing::borrow(std::size_t payload_size) {
  memory_ = message_pool().try_borrow(frame_size(payload_size));
  return static_cast<bool>(memory_);
}

std::span<std::byte> Outgoing::payload_room() {
  return frame_memory().subspan(wire::mark_size);
}

Outgoing::Encoded Outgoing::encode_first() {
  if (on_device_) return *on_device_;
  const auto ready = early_.take(0);
  if (!ready) return encode_now();
  if (ready->codec == codec::Id::raw || !borrow(ready->payload.size())) return {};
  put(payload_room(), 0, ready->payload);
  return {ready->codec, ready->payload.size()};
}

// Of an encoding of so many bytes that began then.
void Outgoing::note_speed(std::size_t bytes, double start) const {
  const double part = static_cast<double>(bytes) / static_cast<double>(values_.size());
  const auto in_time = history_.is_predicted() ? mpi::InTime::yes : mpi::InTime::no;
  mpi::own_speeds().add(
      {encoding_.encoding.codec->id(), encoding_.encoding.parameters.second_stage, in_time},
      part * encoding_.expected_seconds, mpi::core_seconds() - start);
}

Outgoing::Encoded Outgoing::encode_now() {
  const codec::Encoding& encoding = encoding_.encoding;
  const mpi::BufferPool::Lease room = values_.room_for_chunk(chunks_);
  const std::span<const std::byte> first = values_.chunk(chunks_, 0, room);
  const runtime::MessagePhase phase(runtime::Phase::encode, first.size());
  const std::size_t count = first.size() / codec::element_size(encoding.type);
  if (!borrow(encoding.codec->max_encoded_size(encoding.type, count))) return {};
  const double before = encoding_.expected_seconds > 0 ? mpi::core_seconds() : 0;
  const codec::Result made = with_references(0, [&](const codec::Encoding& chosen) {
    return chosen.codec->encode(chosen.type, first, chosen.parameters, payload_room());
  });
  codec::note_work(codec::work_of_encoding(encoding.parameters), first.size(), made.size);
  encoding_seconds_ = phase.seconds();
  if (!made.ok()) {
    // Known to be of no use, as long as nobody writes to it.
    early_.keep(0, codec::Id::raw, first, encoding_seconds_);
    return {};
  }
  if (encoding_.expected_seconds > 0) note_speed(first.size(), before);
  if (history_.is_predicted() && encoding.parameters.second_stage == codec::SecondStage::entropy) {
    history_.coded(first.size(), made.size);
  }
  early_.keep(0, encoding.codec->id(), payload_room().first(made.size), encoding_seconds_);
  return {encoding.codec->id(), made.size};
}

// What cannot be decoded for want of memory is not what the receiver says that it keeps, and so is
// never referred to.
wire::HistoryBlock Outgoing::keep(std::span<const std::byte> payload) {
  if (payload.empty() || !keeps_decoded()) return history_.send(values_.all());
  const mpi::BufferPool::Lease room = message_pool().try_borrow(values_.size());
  if (!room) return history_.send(values_.all());
  const std::span<std::byte> decoded = room.bytes().first(values_.size());
  const codec::Result result = with_references(0, [&](const codec::Encoding& chosen) {
    return chosen.codec->decode_with(chosen.type, payload, chosen.parameters.references, decoded);
  });
  return history_.send(result.ok() ? std::span<const std::byte>(decoded) : values_.all());
}

void Outgoing::add_statistics(std::size_t bytes_after) const {
  const std::chrono::duration<double> elapsed = Clock::now() - start_;
  policy::Plan plan = encoding_.plan;
  plan.pipelined = has_more();
  runtime::Statistics& statistics = runtime::current().statistics;
  statistics.add({policy::Operation::send,
                  plan,
                  1,
                  values_.size(),
                  values_.size(),
                  bytes_after,
                  elapsed.count(),
                  encoding_.encoding.parameters.error_bound,
                  {{encoding_seconds_, 0, 0}}});
  if (history_.is_predicted()) {
    statistics.count_predicted(values_.size(), bytes_after, history_.ratio_alone());
  }
}

void Outgoing::pass_through(const mpi::Buffer& user) {
  const std::size_t length = length_on_the_wire();
  if (history_.is_open() && !history_.to_keep()) history_.pass(values_.all());
  if (length != values_.size() || history_.to_keep() || looks_framed(values_)) return store(length);
  if (values_.is_contiguous()) {
    segments_ = mpi::ByteSegments(values_.all());
  } else {
    given_ = user;
  }
}

Outgoing::Message Outgoing::message() const {
  if (!given_) return {segments_.address(), segments_.count(), segments_.type()};
  return {given_->address, static_cast<int>(given_->count), given_->datatype};
}

}  // namespace tightwire::p2p
