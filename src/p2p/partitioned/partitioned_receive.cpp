#include <algorithm>
#include <chrono>

#include "mpi/byte_parts.h"
#include "mpi/communicator/route.h"
#include "mpi/datatype/pack.h"
#include "mpi/error.h"
#include "mpi/operation.h"
#include "mpi/status.h"
#include "p2p/feedback/transfer_feedback.h"
#include "p2p/partitioned/partitioned.h"
#include "p2p/request/request_table.h"
#include "p2p/state/channel.h"
#include "p2p/state/message_pool.h"
#include "p2p/state/put_off.h"
#include "runtime/report/phase.h"
#include "runtime/runtime.h"
#include "wire/pack.h"

#if MPI_VERSION >= 4

namespace tightwire::p2p {
namespace {

// Receives posted at once: enough to keep the link busy, little memory.
constexpr std::size_t window = 4;

}  // namespace

PartitionedReceive::PartitionedReceive(const Partitions& partitions, const mpi::Route& route,
                                       int source)
    : Partitioned(partitions, route, source) {}

int PartitionedReceive::begin_transfer() {
  if (may_ask_mpi()) request_table().reap();
  const std::scoped_lock lock(mutex_);
  in_round_ = true;
  header_here_ = false;
  code_ = MPI_SUCCESS;
  taken_ = 0;
  problem_.reset();
  missing_.assign(static_cast<std::size_t>(count_), partition_bytes());
  return PMPI_Start(&handle_);
}

bool PartitionedReceive::advance() {
  const std::scoped_lock lock(mutex_);
  return take_what_has_come();
}

std::optional<bool> PartitionedReceive::arrived(int partition) {
  if (partition < 0 || partition >= count_) return std::nullopt;
  const std::scoped_lock lock(mutex_);
  if (!in_round_) return std::nullopt;
  // Where something is wrong the program hears of it when it completes the request.
  return take_what_has_come() || missing_[static_cast<std::size_t>(partition)] == 0;
}

mpi::Outcome PartitionedReceive::end_round() {
  const std::scoped_lock lock(mutex_);
  in_round_ = false;
  asked_.reset();
  slots_.clear();
  values_ = {};
  mpi::Outcome outcome{status_, code_};
  if (code_ != MPI_SUCCESS) return outcome;
  mpi::set_bytes(outcome.status, buffer_.size());
  if (problem_) {
    outcome.code =
        mpi::raise(mpi::Failure{*problem_, peer_, 0, {}},
                   {"MPI_Precv_init", buffer_.size(), "from", peer_}, route_->comm_for_errors());
  }
  return outcome;
}

bool PartitionedReceive::take_what_has_come() {
  if (!asked_) asked_.emplace();
  if (!header_here_ && !take_header()) return false;
  for (; taken_ < chunks(); ++taken_) {
    Slot& slot = slots_[taken_ % slots_.size()];
    int here = 0;
    MPI_Status status;
    const int code = PMPI_Test(&slot.request, &here, &status);
    if (code != MPI_SUCCESS) {
      note(wire::Problem::truncated);  // longer than any chunk
    } else if (here == 0) {
      return false;
    } else {
      take(slot.memory.bytes().first(mpi::bytes_of(status)));
      tell_sender();
    }
    if (taken_ + slots_.size() < chunks()) post(slot);
  }
  return true;
}

// Nothing follows one that cannot be used: what its sender sends is thrown away at the end.
bool PartitionedReceive::take_header() {
  int here = 0;
  code_ = PMPI_Test(&handle_, &here, &status_);
  if (code_ == MPI_SUCCESS && here == 0) return false;
  header_here_ = true;
  cut_ = {};
  if (code_ != MPI_SUCCESS) return true;
  const wire::ReadRoundHeader read = wire::read_round_header(header_, buffer_.size());
  if (read.problem) {
    note(*read.problem);
    return true;
  }
  cut_ = read.header;
  seen_.assign(chunks(), false);
  if (!buffer_.contiguous()) values_ = message_pool().insist(buffer_.size());
  slots_.resize(std::min(window, chunks()));
  const std::size_t room =
      wire::max_frame_size(mpi::longest_byte_part(cut_.batch_bytes, cut_.pieces));
  for (Slot& slot : slots_) {
    slot.memory = message_pool().insist(room);
    post(slot);
  }
  return true;
}

void PartitionedReceive::post(Slot& slot) {
  const std::span<std::byte> room = slot.memory.bytes();
  mpi::check(PMPI_Irecv(room.data(), static_cast<int>(room.size()), MPI_BYTE,
                        route_->world_rank(peer_), static_cast<int>(cut_.tag), channel().comm(),
                        &slot.request));
}

// Chunks come in the order in which their partitions became ready.
void PartitionedReceive::take(std::span<const std::byte> frame) {
  const auto chunk = wire::sequence_of(frame);
  if (!chunk || *chunk >= chunks()) {
    note(chunk ? wire::Problem::out_of_order : wire::Problem::truncated);
    return;
  }
  if (seen_[*chunk]) {
    note(wire::Problem::repeated);
    return;
  }
  seen_[*chunk] = true;
  const auto [begin, size] = place_of(*chunk);
  const auto problem = [&, values = values().subspan(begin, size)] {
    const runtime::MessagePhase phase(runtime::Phase::decode, values.size());
    return wire::unpack(frame, std::nullopt, *chunk, values).problem;
  }();
  if (problem) {
    note(*problem);
    return;
  }
  count(begin, size);
}

// As if each chunk were asked for when the one before is in its place.
void PartitionedReceive::tell_sender() {
  if (transfer_feedback() == nullptr || problem_) return;
  transfer_feedback()->seen(route_->world_rank(peer_), place_of(taken_).count, *asked_);
  asked_.emplace();
}

// Partitions of the two sides need not be alike.
void PartitionedReceive::count(std::size_t begin, std::size_t size) {
  const std::size_t bytes = partition_bytes();
  for (std::size_t at = begin; at < begin + size;) {
    const std::size_t partition = at / bytes;
    const std::size_t end = std::min(begin + size, (partition + 1) * bytes);
    missing_[partition] -= end - at;
    at = end;
    if (missing_[partition] == 0 && values_) {
      unpack(values_.bytes().subspan(partition * bytes, bytes), items_of(partition, 1));
    }
  }
}

void PartitionedReceive::note(wire::Problem problem) {
  if (!problem_) problem_ = problem;
}

std::span<std::byte> PartitionedReceive::values() const {
  return values_ ? values_.bytes() : buffer_.bytes();
}

std::size_t PartitionedReceive::chunks() const {
  if (cut_.batch_bytes == 0) return 0;
  return (cut_.value_bytes + cut_.batch_bytes - 1) / cut_.batch_bytes * cut_.pieces;
}

mpi::Part PartitionedReceive::place_of(std::size_t chunk) const {
  const std::size_t begin = chunk / cut_.pieces * cut_.batch_bytes;
  const std::size_t size = std::min<std::size_t>(cut_.batch_bytes, cut_.value_bytes - begin);
  const mpi::Part piece = mpi::byte_range(size, cut_.pieces, chunk % cut_.pieces);
  return {begin + piece.begin, piece.count};
}

}  // namespace tightwire::p2p

#endif
