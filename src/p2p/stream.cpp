#include "p2p/stream.h"

#include <algorithm>
#include <chrono>

#include "collective/byte_parts.h"
#include "collective/failure.h"
#include "p2p/engine.h"
#include "p2p/status.h"
#include "runtime/runtime.h"

namespace tightwire::p2p {
namespace {

using collective::check;

// Receives posted at once: enough to keep the link busy, little memory.
constexpr std::size_t window = 4;

}  // namespace

Stream::Stream(const Origin& origin, std::size_t chunks, std::span<std::byte> values)
    : origin_(origin), chunks_(chunks), values_(values), slots_(std::min(window, chunks - 1)) {
  const std::size_t room =
      wire::max_frame_size(collective::longest_byte_part(values.size(), chunks));
  for (Slot& slot : slots_) slot.memory = engine().pool.insist(room);
  for (std::size_t chunk = 1; chunk <= slots_.size(); ++chunk) post(chunk);
}

void Stream::post(std::size_t chunk) {
  Slot& slot = slot_of(chunk);
  const std::span<std::byte> room = slot.memory.bytes();
  check(PMPI_Irecv(room.data(), static_cast<int>(room.size()), MPI_BYTE, origin_.world_rank,
                   origin_.tag, engine().comm, &slot.request));
}

bool Stream::advance(bool wait) {
  for (; next_ < chunks_; ++next_) {
    Slot& slot = slot_of(next_);
    MPI_Status status;
    int here = 1;
    const int code =
        wait ? PMPI_Wait(&slot.request, &status) : PMPI_Test(&slot.request, &here, &status);
    if (code != MPI_SUCCESS) {
      // Longer than any chunk; those behind it are taken all the same.
      note(wire::Problem::truncated);
    } else if (here == 0) {
      return false;
    } else {
      take(next_, bytes_of(status));
    }
    if (next_ + slots_.size() < chunks_) post(next_ + slots_.size());
  }
  return true;
}

void Stream::take(std::size_t chunk, std::size_t size) {
  const auto start = std::chrono::steady_clock::now();
  const wire::Unpacked unpacked = wire::unpack(slot_of(chunk).memory.bytes().first(size),
                                               std::nullopt, static_cast<std::uint32_t>(chunk),
                                               collective::byte_part(values_, chunks_, chunk));
  runtime::current().statistics.count_expanding(std::chrono::steady_clock::now() - start);
  if (unpacked.problem) note(*unpacked.problem);
}

void Stream::note(wire::Problem problem) {
  if (!problem_) problem_ = problem;
}

}  // namespace tightwire::p2p
