#include "p2p/transfer/incoming.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <utility>

#include "codec/codec_work.h"
#include "mpi/buffer.h"
#include "mpi/buffer_pool.h"
#include "mpi/byte_parts.h"
#include "mpi/device/device_copy.h"
#include "mpi/error.h"
#include "mpi/status.h"
#include "p2p/feedback/helped.h"
#include "p2p/feedback/transfer_feedback.h"
#include "p2p/state/channel.h"
#include "p2p/state/frame_rules.h"
#include "p2p/state/message_pool.h"
#include "p2p/state/sequence_numbers.h"
#include "p2p/transfer/buffer/posted_buffers.h"
#include "p2p/transfer/framing.h"
#include "runtime/report/phase.h"
#include "runtime/runtime.h"

namespace tightwire::p2p {

namespace {

mpi::BufferPool::Lease copy_of(std::span<const std::byte> bytes) {
  mpi::BufferPool::Lease copy = message_pool().insist(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.bytes().begin());
  return copy;
}

}  // namespace

Incoming::Incoming(const mpi::Buffer& buffer, ReceiveBuffer::Type type, const mpi::Route& route,
                   const char* call)
    : buffer_(buffer, type),
      coded_(buffer_.contiguous() ? mpi::coded_buffer_at(buffer.address) : nullptr),
      pieces_(buffer_.contiguous() ? mpi::pieces_at(buffer_.bytes().data()) : nullptr),
      route_(route.shared_from_this()),
      call_(call) {}

bool Incoming::as_named() const {
  return buffer_.size() < frame_rules().shortest_frame;
}

Incoming::Place Incoming::place() {
  const mpi::Buffer& user = buffer_.buffer();
  const bool shares_buffer = posted_buffers().any() && posted_buffers().overlaps(buffer_.reach());
  if (as_named() && !shares_buffer) {
    return {user.address, static_cast<int>(user.count), user.datatype};
  }
  // A frame of any number of bytes may come: MPICH 5 aborts where they make no whole numbers.
  if ((!buffer_.contiguous() && !buffer_.on_device()) || shares_buffer)
    memory_ = message_pool().insist(buffer_.size());
  segments_ = mpi::ByteSegments(memory_ ? memory_.bytes() : buffer_.bytes());
  return {segments_.address(), segments_.count(), segments_.type()};
}

Incoming::Place Incoming::place(mpi::Operation& receive) {
  const Place place = this->place();
  if (buffer_.contiguous() && !as_named() && !memory_)
    posted_buffers().add(buffer_.bytes(), receive, posted_);
  return place;
}

void Incoming::take(mpi::BufferPool::Lease memory) {
  memory_ = std::move(memory);
}

void Incoming::asked_for() {
  if (!asked_ && transfer_feedback() != nullptr) asked_.emplace();
}

bool Incoming::is_too_long(const MPI_Status& status) const {
  return mpi::bytes_of(status) > buffer_.size();
}

mpi::Outcome Incoming::finish(const MPI_Status& status) {
  receive(status);
  static_cast<void>(advance(mpi::Operation::Waiting::yes));
  return outcome();
}

void Incoming::receive(const MPI_Status& status) {
  outcome_.status = status;
  if (mpi::is_cancelled(status)) return posted_.remove();
  size_ = mpi::bytes_of(status);
  if (memory_ && posted_buffers().any()) {
    posted_buffers().prepare_to_overwrite(buffer_.reach(), !frame_rules().multithreaded);
  }
  mpi::indispensable(name(room()), route_->comm_for_errors(), [&] { put_in_place(); });
}

mpi::CallName Incoming::name(std::size_t bytes) const {
  return {call_, bytes, "from", outcome_.status.MPI_SOURCE};
}

// What the driver will not copy may be a frame: nobody can tell.
void Incoming::fetch_from_device() try {
  const auto* const begin = buffer_.bytes().data();
  std::array<std::byte, 2 * wire::mark_size> ends{};
  mpi::copy_from_device(std::span(ends).first(wire::mark_size), begin);
  mpi::copy_from_device(std::span(ends).last(wire::mark_size), begin + size_ - wire::mark_size);
  if (!wire::looks_framed(ends)) return;
  memory_ = message_pool().insist(size_);
  mpi::copy_from_device(memory_.bytes().first(size_), begin);
} catch (const mpi::MpiError&) {
  note(wire::Problem::undecodable);
}

void Incoming::put_in_place() {
  const bool may_be_frame = p2p::may_be_frame(*route_, outcome_.status);
  if (buffer_.on_device() && !memory_) {
    if (may_be_frame) fetch_from_device();
    truncated_ = size_ > buffer_.size();
    if (!memory_ || problem_) return;
  }
  if (may_be_frame && wire::looks_framed(message())) {
    read_frame(outcome_.status.MPI_SOURCE);
  } else if (size_ > buffer_.size()) {
    truncated_ = true;
  } else if (memory_) {
    buffer_.write(message());
  }
  posted_.remove();
}

std::span<std::byte> Incoming::message() {
  return (memory_ ? memory_.bytes() : buffer_.bytes()).first(size_);
}

bool Incoming::advance(mpi::Operation::Waiting waiting) {
  return !chunks_ || mpi::indispensable(name(room()), route_->comm_for_errors(), [&] {
    return chunks_->advance(waiting == mpi::Operation::Waiting::yes);
  });
}

mpi::Outcome Incoming::outcome() {
  if (chunks_ && chunks_->problem()) note(*chunks_->problem());
  chunks_.reset();
  if (history_) end_history();
  if (!mpi::is_cancelled(outcome_.status)) mpi::set_bytes(outcome_.status, size_);
  MPI_Comm comm = route_->comm_for_errors();
  if (truncated_) {
    MPI_Comm failing = fails_on_world_ ? MPI_COMM_WORLD : comm;
    outcome_.code = MPI_ERR_TRUNCATE;
    if (!muted_ && !std::exchange(told_, true)) {
      mpi::call_error_handler(failing, MPI_ERR_TRUNCATE);
    }
  } else if (problem_ && std::exchange(told_, true)) {
    outcome_.code = MPI_ERR_OTHER;
  } else if (problem_) {
    const mpi::Failure failure{*problem_, outcome_.status.MPI_SOURCE, 0, {}};
    outcome_.code = mpi::indispensable(name(size_), comm,
                                       [&] { return mpi::raise(failure, name(size_), comm); });
  } else if (values_) {
    mpi::indispensable(name(room()), comm, [&] { buffer_.write(values_.bytes().first(size_)); });
  }
  if (asked_ && outcome_.code == MPI_SUCCESS) tell_sender();
  asked_.reset();
  memory_ = {};
  values_ = {};
  return outcome_;
}

void Incoming::tell_sender() const {
  const MPI_Status& status = outcome_.status;
  if (truncated_ || problem_ || size_ < frame_rules().shortest_encoded ||
      mpi::is_cancelled(status) || !route_->across(status.MPI_SOURCE)) {
    return;
  }
  mpi::indispensable(name(size_), route_->comm_for_errors(), [&] {
    transfer_feedback()->seen(route_->world_rank(status.MPI_SOURCE), size_, *asked_);
  });
  measure_own_helpers(size_);
}

void Incoming::note(wire::Problem problem) {
  // Plain MPI would leave there what nobody can tell, too.
  if (posted_.overwritten()) return;
  if (!problem_) problem_ = problem;
}

void Incoming::read_frame(int source) {
  const std::span<std::byte> frame = message();
  const wire::ReadTrailer read = wire::read_trailer(frame.last(wire::trailer_size), frame.size());
  if (read.problem) {
    note(*read.problem);
    return;
  }
  if (!sequence_numbers().is_new(route_->world_rank(source), read.trailer.number)) {
    note(wire::Problem::repeated);
    return;
  }
  size_ = read.trailer.value_bytes;
  truncated_ = size_ > buffer_.size();
  if (read.trailer.has_history && !read_history(read.trailer, frame, source)) return;
  read.trailer.kind == wire::FrameKind::stored ? restore(read.trailer, frame, source)
                                               : decode(read, frame, source);
}

bool Incoming::read_history(const wire::Trailer& trailer, std::span<const std::byte> frame,
                            int source) {
  const auto end = frame.last(wire::end_size(trailer.has_history));
  const auto block = wire::read_history(end.first(wire::history_size));
  if (!block) {
    note(wire::Problem::checksum);
    return false;
  }
  history_.emplace(route_->world_rank(source), *block);
  if (!truncated_ && !history_->find_references(size_)) note(wire::Problem::no_reference);
  return true;
}

std::span<const std::byte> Incoming::whole_message() {
  // A stored one was received as long as it is, and one that was decoded lies elsewhere.
  if (values_) return values_.bytes().first(size_);
  const bool is_here = memory_ && !buffer_.contiguous();
  return (is_here ? memory_.bytes() : buffer_.bytes()).first(size_);
}

void Incoming::end_history() {
  if (problem_ || truncated_ || posted_.overwritten()) {
    history_->leave();
  } else {
    history_->keep(whole_message());
  }
}

void Incoming::decode(const wire::ReadTrailer& read, std::span<const std::byte> frame, int source) {
  const std::size_t chunks = std::max<std::size_t>(read.trailer.chunks, 1);
  const std::span<std::byte> whole = room_for_all();
  // The values go where the payload stands, if that is the program's buffer.
  std::span<const std::byte> payload = frame.subspan(wire::mark_size, read.trailer.payload_bytes);
  if (decode_on_device(read, payload)) return;
  mpi::BufferPool::Lease aside;
  if (!memory_) {
    aside = copy_of(payload);
    payload = aside.bytes();
  }
  if (chunks > 1) {
    // One too long is taken in all the same, so that its chunks are no one's trouble.
    chunks_.emplace(ChunkReceiver::Origin{route_->world_rank(source),
                                          static_cast<int>(read.trailer.tag), frame.size()},
                    chunks,
                    ChunkReceiver::Target{
                        size_, whole, truncated_ || !whole.empty() ? nullptr : &buffer_,
                        history_ ? &*history_ : nullptr, truncated_ ? nullptr : pieces_.get()});
  }
  if (truncated_) return;
  const std::size_t first = mpi::byte_range(size_, chunks, 0).count;
  decode_first(read, payload, first, whole);
  if (pieces_ != nullptr && chunks > 1 && !problem_) pieces_->written(whole.first(first));
}

std::span<std::byte> Incoming::room_for_all() {
  if (truncated_) return {};
  if (buffer_.contiguous()) return buffer_.bytes().first(size_);
  if (!buffer_.by_parts() || history_) values_ = message_pool().insist(size_);
  return values_.bytes();
}

void Incoming::decode_first(const wire::ReadTrailer& read, std::span<const std::byte> payload,
                            std::size_t size, std::span<std::byte> whole) {
  if (!whole.empty()) return decode_chunk(read, payload, whole.first(size));
  const mpi::BufferPool::Lease values = message_pool().insist(size);
  decode_chunk(read, payload, values.bytes());
  if (!problem_) buffer_.write_part(0, values.bytes());
}

// The first chunk, or all.
bool Incoming::decoded_as(const codec::Codec& codec, codec::ElementType type,
                          std::span<const std::byte> payload, std::span<std::byte> values) const {
  if (!history_) return codec.decode(type, payload, values).ok();
  const codec::ReferenceParts references = history_->references(0, values.size());
  return codec.decode_with(type, payload, references.all(), values).ok();
}

void Incoming::decode_chunk(const wire::ReadTrailer& read, std::span<const std::byte> payload,
                            std::span<std::byte> values) {
  const runtime::MessagePhase phase(runtime::Phase::decode, values.size());
  const codec::Codec* codec = codec::find(read.trailer.codec);
  if (!read.matches(payload)) {
    note(wire::Problem::checksum);
  } else if (codec == nullptr || !codec->supports(read.trailer.type)) {
    note(wire::Problem::unknown_codec);
  } else if (!decoded_as(*codec, read.trailer.type, payload, values)) {
    note(wire::Problem::undecodable);
  } else {
    codec::note_decoding(read.trailer.codec, payload, values.size());
  }
}

}  // namespace tightwire::p2p
