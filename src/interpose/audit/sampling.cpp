#include "interpose/audit/sampling.h"

#include <algorithm>

#include "mpi/device/memory_space.h"
#include "mpi/error.h"

namespace tightwire::auditor {
namespace {

using Clock = audit::Cost::Clock;

// Nobody compresses less; packing more of a derived type than this to look at a part of it costs
// too much.
constexpr std::size_t smallest_sampled = 256;
constexpr std::size_t largest_packed = std::size_t{4} << 20;
// A sample that is compared with earlier messages tries each way twice, so many times as long as
// one by itself.
constexpr std::size_t compared = 2;

std::size_t bytes_to_read(const Message& message) {
  const std::size_t bytes = message.channel.bytes;
  return std::min(bytes, audit::largest_sample) + (message.derived ? bytes : 0);
}

bool may_be_read(const Message& message) {
  return message.channel.bytes >= smallest_sampled &&
         mpi::memory_space_of(message.buffer.address) == mpi::MemorySpace::host;
}

}  // namespace

Sampling::Bytes Sampling::values_of(const mpi::Buffer& buffer, bool derived) {
  if (!derived) return buffer.host_bytes();
  const std::size_t size = buffer.bytes();
  if (size > largest_packed) return {};
  int packed_size = 0;
  mpi::check(
      PMPI_Pack_size(static_cast<int>(buffer.count), buffer.datatype, MPI_COMM_SELF, &packed_size));
  packed_.resize(std::max(size, static_cast<std::size_t>(packed_size)));
  int at = 0;
  mpi::check(PMPI_Pack(buffer.address, static_cast<int>(buffer.count), buffer.datatype,
                       packed_.data(), static_cast<int>(packed_.size()), &at, MPI_COMM_SELF));
  return Bytes(packed_).first(std::min(size, static_cast<std::size_t>(at)));
}

// One that changes from turn to turn, in whole values.
Sampling::Bytes Sampling::part_of(const Message& message, std::uint64_t turn) {
  const Bytes values = values_of(message.buffer, message.derived);
  if (values.empty()) return {};
  const std::size_t element = codec::element_size(message.type);
  const std::size_t size = std::min(values.size(), audit::largest_sample);
  const std::size_t places = values.size() / size;
  return values.subspan(turn % places * size, size / element * element);
}

void Sampling::sample(Row& row, const Message& message, Bytes part, codec::References earlier) {
  if (part.empty()) return;
  row.figures.samples.add(sampler_.take(message.type, part, message.terms, earlier));
}

// Sums are not predicted from earlier ones.
void Sampling::begin_to_watch(Row& row, const Message& message, std::uint64_t turn, Bytes part) {
  if (message.terms > 1 || part.empty()) return;
  watches_.begin(&row, audit::Watch(message.channel, turn), part);
}

void Sampling::watch(Row& row, audit::Watch& watch, const Message& message, audit::Cost& cost) {
  const std::size_t read = bytes_to_read(message);
  const auto begin = Clock::now();
  const Bytes part = part_of(message, watch.turn());
  if (watch.is_full() && cost.affords_sample(compared * read)) {
    sample(row, message, part, watch.parts(part.size()));
    cost.count_sample(compared * read, Clock::now() - begin);
    watches_.end(&row);
    return;
  }
  watch.keep(part);
  cost.count_copy(Clock::now() - begin);
}

void Sampling::look(Row& row, const Message& message, bool all_are_seen, audit::Cost& cost) {
  if (audit::Watch* const found = watches_.at_message(&row)) {
    if (all_are_seen && found->meets(message.channel) && may_be_read(message)) {
      watch(row, *found, message, cost);
      return;
    }
    if (all_are_seen && !found->is_in_vain()) return;
    watches_.end(&row);
  }
  const std::size_t read = bytes_to_read(message);
  if (row.figures.calls < row.next_sample || !may_be_read(message)) return;
  const std::uint64_t turn = row.figures.samples.count;
  if (!cost.affords_sample(read, turn == 0)) return;
  const auto begin = Clock::now();
  const Bytes part = part_of(message, turn);
  sample(row, message, part, {});
  if (all_are_seen) begin_to_watch(row, message, turn, part);
  row.next_sample = row.figures.calls + row.figures.calls / 4 + 1;
  cost.count_sample(read, Clock::now() - begin);
}

}  // namespace tightwire::auditor
