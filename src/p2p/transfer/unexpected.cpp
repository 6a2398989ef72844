#include "p2p/transfer/unexpected.h"

#include <algorithm>
#include <vector>

#include "mpi/error.h"
#include "mpi/status.h"
#include "p2p/state/message_pool.h"
#include "p2p/state/process_wide.h"
#include "p2p/transfer/framing.h"
#include "wire/trailer.h"

namespace tightwire::p2p {
namespace {

using mpi::check;

bool matches(const Taken& message, const mpi::Route& route, int source, int tag) {
  return message.route.get() == &route && (source == MPI_ANY_SOURCE || source == message.source) &&
         (tag == MPI_ANY_TAG || tag == message.tag);
}

// Takes the oldest message of `source` from MPI; there is one.
void take(const mpi::Route& route, int source, Taken& taken) {
  int found = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  while (found == 0) {
    mpi::check(PMPI_Improbe(source, MPI_ANY_TAG, route.comm(), &found, &message, &status));
  }
  taken.route = route.shared_from_this();
  taken.source = source;
  taken.tag = status.MPI_TAG;
  const std::size_t size = mpi::bytes_of(status);
  taken.memory = message_pool().insist(std::max<std::size_t>(size, 1));
  taken.row = mpi::ByteSegments(taken.memory.bytes().first(size));
  mpi::check(PMPI_Imrecv(taken.row.address(), taken.row.count(), taken.row.type(), &message,
                         &taken.transfer));
}

}  // namespace

std::optional<MPI_Status> Taken::arrived() const {
  int is_moved = 0;
  MPI_Status status;
  mpi::check(PMPI_Request_get_status(transfer, &is_moved, &status));
  if (is_moved == 0) return std::nullopt;
  const std::size_t size = mpi::bytes_of(status);
  const auto message = memory.bytes().first(size);
  if (!may_be_frame(*route, status) || !wire::looks_framed(message)) return status;
  const wire::ReadTrailer read = wire::read_trailer(message.last(wire::trailer_size), size);
  // A damaged one is told of where it is received.
  if (!read.problem) mpi::set_bytes(status, read.trailer.value_bytes);
  return status;
}

Unexpected& unexpected() {
  return process_wide<Unexpected>();
}

const Taken* Unexpected::match(const mpi::Route& route, int source, int tag) const {
  const auto found = std::find_if(messages_.begin(), messages_.end(), [&](const Taken& message) {
    return matches(message, route, source, tag);
  });
  return found == messages_.end() ? nullptr : &*found;
}

Taken Unexpected::remove(const Taken* taken) {
  const auto found = std::find_if(messages_.begin(), messages_.end(),
                                  [&](const Taken& message) { return &message == taken; });
  Taken removed = std::move(*found);
  messages_.erase(found);
  size_.store(messages_.size(), std::memory_order_relaxed);
  return removed;
}

// A sender's messages are seen in order; those of others need not wait for them.
Unexpected::Match Unexpected::look(const mpi::Route& route, int source, int tag,
                                   Found& found) const {
  std::vector<int> waiting;
  for (const Taken& message : messages_) {
    if (!matches(message, route, source, tag)) continue;
    if (std::find(waiting.begin(), waiting.end(), message.source) != waiting.end()) continue;
    if (const auto status = message.arrived()) {
      found = {*status, &message};
      return Match::here;
    }
    waiting.push_back(message.source);
  }
  return waiting.empty() ? Match::none : Match::under_way;
}

std::optional<Unexpected::Found> Unexpected::probe(const mpi::Route& route, int source, int tag) {
  Found found;
  const Match match = look(route, source, tag, found);
  if (match == Match::here) return found;
  // With one under way, messages of its sender must not overtake it; it will soon be here.
  if (match == Match::under_way) return std::nullopt;
  int in_mpi = 0;
  mpi::check(PMPI_Iprobe(source, tag, route.comm(), &in_mpi, &found.status));
  if (in_mpi == 0) return std::nullopt;
  if (!may_be_frame(route, found.status)) return found;
  take_up_to(route, found.status.MPI_SOURCE, tag);
  return look(route, source, tag, found) == Match::here ? std::optional(found) : std::nullopt;
}

// Up to the first that the probe would match.
void Unexpected::take_up_to(const mpi::Route& route, int source, int tag) {
  do {
    std::list<Taken> one(1);
    take(route, source, one.front());
    messages_.splice(messages_.end(), one);
    size_.store(messages_.size(), std::memory_order_relaxed);
  } while (tag != MPI_ANY_TAG && messages_.back().tag != tag);
}

}  // namespace tightwire::p2p
