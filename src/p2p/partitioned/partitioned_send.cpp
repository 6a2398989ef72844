#include <algorithm>
#include <chrono>

#include "codec/instances.h"
#include "early/early.h"
#include "mpi/buffer_pool.h"
#include "mpi/byte_parts.h"
#include "mpi/communicator/route.h"
#include "mpi/datatype/element_type.h"
#include "mpi/datatype/pack.h"
#include "mpi/encoding/early_send.h"
#include "mpi/error.h"
#include "p2p/feedback/transfer_feedback.h"
#include "p2p/partitioned/partitioned.h"
#include "p2p/request/request_table.h"
#include "p2p/state/channel.h"
#include "p2p/state/deferred_sends.h"
#include "p2p/state/message_pool.h"
#include "p2p/state/put_off.h"
#include "p2p/transfer/buffer/send_buffer.h"
#include "p2p/transfer/message_encoding.h"
#include "runtime/runtime.h"
#include "timeline/events.h"
#include "wire/pack.h"

#if MPI_VERSION >= 4

namespace tightwire::p2p {
namespace {

// Smaller partitions wait for their neighbours, up to here; larger ones are cut.
constexpr std::size_t least_batch = std::size_t{64} << 10;
constexpr std::size_t most_chunk = std::size_t{1} << 20;

std::size_t divided_up(std::size_t dividend, std::size_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

}  // namespace

PartitionedSend::PartitionedSend(const Partitions& partitions, const mpi::Route& route,
                                 int destination)
    : Partitioned(partitions, route, destination),
      type_(mpi::element_of(partitions.partition.datatype)),
      batch_(
          std::min(divided_up(least_batch, partition_bytes()), static_cast<std::size_t>(count_))),
      pieces_(batch_ > 1 ? 1 : divided_up(partition_bytes(), most_chunk)),
      due_(static_cast<std::size_t>(count_)),
      missing_(divided_up(static_cast<std::size_t>(count_), batch_)) {}

int PartitionedSend::begin_transfer() {
  if (may_ask_mpi()) request_table().reap();
  const auto count = static_cast<std::size_t>(count_);
  for (std::atomic<bool>& due : due_) due = true;
  for (std::size_t batch = 0; batch < missing_.size(); ++batch) {
    missing_[batch] = std::min(batch_, count - batch * batch_);
  }
  batches_left_ = missing_.size();
  header_sent_ = false;
  tag_ = channel().next_tag();
  header_ = wire::write_round_header(
      {buffer_.size(), batch_ * partition_bytes(), static_cast<std::uint32_t>(pieces_), tag_});
  const int code = PMPI_Start(&handle_);
  return code == MPI_SUCCESS ? PMPI_Pready(0, handle_) : code;
}

bool PartitionedSend::ready(int partition) {
  if (partition < 0 || partition >= count_) return false;
  const auto index = static_cast<std::size_t>(partition);
  if (!due_[index].exchange(false)) return false;
  // What the threads of the other partitions wrote before their calls is seen by the last.
  if (missing_[index / batch_].fetch_sub(1, std::memory_order_acq_rel) == 1) {
    send_batch(index / batch_);
  }
  return true;
}

void PartitionedSend::send_batch(std::size_t batch) {
  const std::size_t first = batch * batch_;
  const std::size_t count = std::min(batch_, static_cast<std::size_t>(count_) - first);
  const std::size_t size = count * partition_bytes();
  mpi::BufferPool::Lease packed;
  std::span<const std::byte> values;
  if (buffer_.contiguous()) {
    values = buffer_.bytes().subspan(first * partition_bytes(), size);
  } else {
    packed = message_pool().insist(size);
    pack(items_of(first, count), packed.bytes());
    values = packed.bytes();
  }
  for (std::size_t piece = 0; piece < pieces_; ++piece) {
    send_chunk(batch * pieces_ + piece, mpi::byte_part(values, pieces_, piece),
               buffer_.contiguous());
  }
  // After this the request may be complete, and gone.
  batches_left_.fetch_sub(1, std::memory_order_acq_rel);
}

// Each chunk is encoded as a message of its own would be.
void PartitionedSend::send_chunk(std::size_t chunk, std::span<const std::byte> values,
                                 bool own_memory) {
  const auto start = std::chrono::steady_clock::now();
  SendBuffer sent(values);
  MessageEncoding chosen =
      message_encoding(type_, sent, *route_, {peer_, 0, SendMode::standard, true}, nullptr);
  codec::Encoding& encoding = chosen.encoding;
  const bool is_encoded = chosen.plan.tier != policy::Tier::raw;
  if (!is_encoded) encoding = {&codec::raw_codec(), codec::ElementType::bytes, {}};
  // What is packed lies elsewhere each time.
  early::Send early;
  if (is_encoded && own_memory) early = mpi::begin_early(values, 1, encoding, chosen.link);
  const mpi::BufferPool::Lease frame =
      message_pool().insist(wire::packing_size(*encoding.codec, encoding.type, values.size()));
  const std::size_t size = [&] {
    const timeline::Span span("encode", timeline::Kind::codec, values.size());
    return mpi::pack_early(early, 0, encoding, values, static_cast<std::uint32_t>(chunk),
                           frame.bytes());
  }();
  early = {};
  const auto time = std::chrono::steady_clock::now() - start;
  deferred_sends().post(frame.bytes().first(size), route_->world_rank(peer_),
                        static_cast<int>(tag_));
  note_sent({route_->world_rank(peer_), values.size(), is_encoded, start});

  runtime::Statistics& statistics = runtime::current().statistics;
  if (!is_encoded) {
    statistics.count_passed(policy::Operation::send, chosen.plan.why, values.size(),
                            static_cast<std::uint64_t>(time.count()));
    return;
  }
  remember(chosen, sent, static_cast<double>(values.size()) / static_cast<double>(size));
  statistics.count_coding(time);
  statistics.add({policy::Operation::send,
                  chosen.plan,
                  1,
                  values.size(),
                  values.size(),
                  size,
                  std::chrono::duration<double>(time).count(),
                  encoding.parameters.error_bound,
                  {{std::chrono::duration<double>(time).count(), 0, 0}}});
}

bool PartitionedSend::advance() {
  if (!header_sent_) {
    int sent = 0;
    mpi::check(PMPI_Test(&handle_, &sent, &status_));
    header_sent_ = sent != 0;
  } else {
    deferred_sends().progress();
  }
  return header_sent_ && batches_left_.load(std::memory_order_acquire) == 0;
}

}  // namespace tightwire::p2p

#endif
