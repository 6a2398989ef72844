#include "p2p/transfer/unexpected.h"

#include <algorithm>
#include <vector>

#include "mpi/error.h"
#include "mpi/status.h"
#include "p2p/feedback/announced_lengths.h"
#include "p2p/state/frame_rules.h"
#include "p2p/state/message_pool.h"
#include "p2p/state/process_wide.h"
#include "p2p/transfer/framing.h"
#include "wire/trailer.h"

namespace tightwire::p2p {
namespace {

bool matches(const Taken& message, const mpi::Route& route, int source, int tag) {
  return message.route.get() == &route && (source == MPI_ANY_SOURCE || source == message.source) &&
         (tag == MPI_ANY_TAG || tag == message.tag);
}

// Matches the oldest message of `source`; there is one.
void match_oldest(const mpi::Route& route, int source, Taken& taken) {
  int found = 0;
  while (found == 0) {
    mpi::check(
        PMPI_Improbe(source, MPI_ANY_TAG, route.comm(), &found, &taken.message, &taken.status));
  }
  taken.route = route.shared_from_this();
  taken.source = source;
  taken.tag = taken.status.MPI_TAG;
}

bool contains(const std::vector<int>& ranks, int rank) {
  return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

}  // namespace

void Taken::receive() {
  const std::size_t size = mpi::bytes_of(status);
  memory = message_pool().insist(std::max<std::size_t>(size, 1));
  segments = mpi::ByteSegments(memory.bytes().first(size));
  mpi::check(
      PMPI_Imrecv(segments.address(), segments.count(), segments.type(), &message, &transfer));
}

std::optional<MPI_Status> Taken::arrived() const {
  if (is_held()) return announced();
  int is_moved = 0;
  MPI_Status moved;
  mpi::check(PMPI_Request_get_status(transfer, &is_moved, &moved));
  if (is_moved == 0) return std::nullopt;
  const std::size_t size = mpi::bytes_of(moved);
  const auto frame = memory.bytes().first(size);
  if (!wire::looks_framed(frame)) return moved;
  const wire::ReadTrailer read = wire::read_trailer(frame.last(wire::trailer_size), size);
  // A damaged one is told of where it is received.
  if (!read.problem) mpi::set_bytes(moved, read.trailer.value_bytes);
  return moved;
}

std::optional<MPI_Status> Taken::announced() const {
  if (!has_announced_length(*route, status)) return status;
  const auto bytes =
      announced_lengths().meaning_of(mpi::bytes_of(status), route->world_rank(source));
  if (!bytes) return std::nullopt;
  MPI_Status told = status;
  mpi::set_bytes(told, *bytes);
  return told;
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
std::optional<Unexpected::Found> Unexpected::look(const mpi::Route& route, int source, int tag,
                                                  std::vector<int>& waiting) {
  for (Taken& message : messages_) {
    if (!matches(message, route, source, tag) || contains(waiting, message.source)) continue;
    if (message.is_held() && may_be_encoded(route, message.status)) message.receive();
    if (const auto status = message.arrived()) return Found{*status, &message};
    waiting.push_back(message.source);
  }
  return std::nullopt;
}

std::optional<Unexpected::Found> Unexpected::probe(const mpi::Route& route, int source, int tag) {
  for (;;) {
    std::vector<int> waiting;
    if (const auto found = look(route, source, tag, waiting)) return found;
    if (contains(waiting, source)) return std::nullopt;
    int in_mpi = 0;
    Found found;
    mpi::check(PMPI_Iprobe(source, tag, route.comm(), &in_mpi, &found.status));
    if (in_mpi == 0) return std::nullopt;
    const int sender = found.status.MPI_SOURCE;
    // What must not overtake a message under way is put behind it, and no longer hides others.
    if (!contains(waiting, sender) && is_as_long_as_it_looks(route, found.status)) return found;
    take_up_to(route, sender, tag);
  }
}

bool Unexpected::probe_mpi(const mpi::Route& route, int source, int tag, int& flag,
                           MPI_Status& status) const {
  if (frame_rules().multithreaded || any()) return false;
  mpi::check(PMPI_Iprobe(source, tag, route.comm(), &flag, &status));
  return flag == 0 || is_as_long_as_it_looks(route, status);
}

// Up to the first that the probe would match.
void Unexpected::take_up_to(const mpi::Route& route, int source, int tag) {
  do {
    std::list<Taken> one(1);
    match_oldest(route, source, one.front());
    messages_.splice(messages_.end(), one);
    size_.store(messages_.size(), std::memory_order_relaxed);
  } while (tag != MPI_ANY_TAG && messages_.back().tag != tag);
}

}  // namespace tightwire::p2p
