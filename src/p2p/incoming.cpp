#include "p2p/incoming.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "collective/failure.h"
#include "p2p/engine.h"
#include "p2p/status.h"

namespace tightwire::p2p {
namespace {

using collective::check;

Pool::Lease copy_of(std::span<const std::byte> bytes) {
  Pool::Lease copy = engine().pool.insist(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.bytes().begin());
  return copy;
}

}  // namespace

bool is_frame(const Route& route, const MPI_Status& status) {
  return route.across(status.MPI_SOURCE) && bytes_of(status) >= engine().threshold;
}

Incoming::Incoming(const collective::UserBuffer& buffer, Landing::Type type, const Route& route,
                   const char* call)
    : landing_(buffer, type), route_(route.shared_from_this()), call_(call) {}

bool Incoming::in_place() const {
  return landing_.contiguous() || landing_.size() < engine().threshold;
}

Incoming::Place Incoming::place() {
  const collective::UserBuffer& user = landing_.buffer();
  if (in_place()) return {user.address, static_cast<int>(user.count), user.datatype};
  memory_ = engine().pool.insist(landing_.size());
  row_ = Row(memory_.bytes());
  return {row_.address(), row_.count(), row_.type()};
}

void Incoming::take(Pool::Lease memory) {
  memory_ = std::move(memory);
  taken_ = true;
}

bool Incoming::overflown(const MPI_Status& lead) const {
  return !taken_ && bytes_of(lead) > landing_.size();
}

Outcome Incoming::finish(const MPI_Status& lead) {
  Outcome outcome{lead, MPI_SUCCESS};
  if (is_cancelled(lead)) return outcome;
  std::size_t size = bytes_of(lead);
  if (is_frame(*route_, lead)) {
    outcome.code = expand(size, lead.MPI_SOURCE, size);
  } else if (size > landing_.size()) {
    outcome.code = truncated();
  } else if (memory_) {
    landing_.write(memory_.bytes().first(size));
  }
  memory_ = {};
  set_bytes(outcome.status, size);
  return outcome;
}

int Incoming::expand(std::size_t message_size, int source, std::size_t& size) {
  const std::span<std::byte> message =
      (memory_ ? memory_.bytes() : landing_.bytes()).first(message_size);
  const wire::ReadTrailer read = wire::read_trailer(message.last(wire::trailer_size), message_size);
  if (read.problem) return fail(*read.problem, source, message_size);
  size = read.trailer.value_bytes;
  return read.trailer.carriage == wire::Carriage::stored ? restore(read.trailer, message, source)
                                                         : decode(read, message, source);
}

// Puts the tail where the trailer stands.
int Incoming::restore(const wire::Trailer& trailer, std::span<std::byte> message, int source) {
  std::array<std::byte, wire::tail_size> tail{};
  check(PMPI_Recv(tail.data(), static_cast<int>(tail.size()), MPI_BYTE, route_->world_rank(source),
                  static_cast<int>(trailer.stream), engine().comm, MPI_STATUS_IGNORE));
  if (message.size() > landing_.size()) return truncated();
  const auto last = wire::read_tail(tail, trailer.stream);
  if (!last) return fail(wire::Problem::checksum, source, message.size());
  std::copy(last->begin(), last->end(), message.last(wire::trailer_size).begin());
  if (memory_) landing_.write(message);
  return MPI_SUCCESS;
}

int Incoming::decode(const wire::ReadTrailer& read, std::span<const std::byte> message,
                     int source) {
  const wire::Trailer& trailer = read.trailer;
  const std::size_t size = trailer.value_bytes;
  if (size > landing_.size()) return truncated();
  std::span<const std::byte> payload = message.first(trailer.payload_bytes);
  if (!read.matches(payload)) return fail(wire::Problem::checksum, source, size);
  const codec::Codec* codec = codec::find(trailer.codec);
  if (codec == nullptr || !codec->supports(trailer.type)) {
    return fail(wire::Problem::unknown_codec, source, size);
  }
  // The values go where the payload stands, if that is the program's buffer.
  Pool::Lease aside;
  if (!memory_) {
    aside = copy_of(payload);
    payload = aside.bytes();
  }
  Pool::Lease values;
  if (!landing_.contiguous()) values = engine().pool.insist(size);
  const std::span<std::byte> target = values ? values.bytes() : landing_.bytes().first(size);
  if (!codec->decode(trailer.type, payload, target).ok()) {
    return fail(wire::Problem::undecodable, source, size);
  }
  if (values) landing_.write(target);
  return MPI_SUCCESS;
}

int Incoming::fail(wire::Problem problem, int source, std::size_t size) const {
  return collective::raise(collective::Failure{problem, source, 0, {}},
                           std::string(call_) + " of " + std::to_string(size) + " bytes",
                           route_->comm_for_errors());
}

int Incoming::truncated() const {
  PMPI_Comm_call_errhandler(route_->comm_for_errors(), MPI_ERR_TRUNCATE);
  return MPI_ERR_TRUNCATE;
}

}  // namespace tightwire::p2p
