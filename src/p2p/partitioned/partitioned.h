// Partitioned communication (MPI-4): a buffer whose partitions become ready one by one, in any
// order and by any thread, and are sent as they do.
//
// What the program holds is a partitioned request of MPI's own, but for a short message: the header
// (wire/round_header.h), one to a round. So MPI itself says which send meets which receive. The
// partitions follow as frames on the private communicator, under the tag that the header names.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <vector>

#include "mpi/buffer.h"
#include "mpi/buffer_pool.h"
#include "mpi/communicator/route.h"
#include "mpi/operation.h"
#include "mpi/partition.h"
#include "p2p/feedback/asked_for.h"
#include "p2p/request/persistent_request.h"
#include "p2p/transfer/buffer/receive_buffer.h"
#include "wire/round_header.h"

namespace tightwire::p2p {

// The program's buffer: so many partitions, one behind the other, each of `partition.count` items.
struct Partitions {
  mpi::Buffer partition;
  int count;

  [[nodiscard]] mpi::Buffer whole() const {
    return {partition.address, partition.count * count, partition.datatype};
  }
};

// Either side. Threads of the program may call ready() and arrived() while another completes the
// request. A round begins with start() and is over when outcome() has been asked for.
class Partitioned : public PersistentRequest {
 public:
  Partitioned(const Partitions& partitions, const mpi::Route& route, int peer);

  // Where the request that set_handle() tells of takes the header from, or puts it.
  [[nodiscard]] std::span<std::byte> header() { return header_; }
  void set_handle(MPI_Request handle) { handle_ = handle; }

  [[nodiscard]] bool progress(Waiting waiting) final;
  // MPI may not cancel the header.
  void abort() noexcept final {}
  [[nodiscard]] mpi::Outcome peek() const final { return *known_; }
  [[nodiscard]] int cancel() final { return PMPI_Cancel(&handle_); }
  void let_go(MPI_Request* handle) final;

  // MPI_Pready, by any number of threads at once: encodes and sends what is complete now. False for
  // a partition that no such call is due for. Throws MpiError, std::bad_alloc.
  [[nodiscard]] virtual bool ready(int /*partition*/) { return false; }
  // MPI_Parrived, by any number of threads at once. Nothing for one that does not exist,
  // and between rounds.
  [[nodiscard]] virtual std::optional<bool> arrived(int /*partition*/) { return std::nullopt; }

  [[nodiscard]] MPI_Comm comm_for_errors() const { return route_->comm_for_errors(); }

 protected:
  // Does what can be done now. Whether the round is complete. Throws MpiError, std::bad_alloc.
  [[nodiscard]] virtual bool advance() = 0;
  // What came of it. What is wrong is raised on the communicator here.
  [[nodiscard]] virtual mpi::Outcome end_round() = 0;

  [[nodiscard]] std::size_t partition_bytes() const {
    return buffer_.size() / static_cast<std::size_t>(count_);
  }
  // Some of the partitions, as the program has them.
  [[nodiscard]] mpi::Buffer items_of(std::size_t first, std::size_t count) const;

  const int count_;
  const int peer_;
  const std::shared_ptr<const mpi::Route> route_;
  const ReceiveBuffer buffer_;  // of all partitions
  MPI_Request handle_ = MPI_REQUEST_NULL;
  std::array<std::byte, wire::round_header_size> header_{};

 private:
  [[nodiscard]] mpi::Outcome end_transfer() final;

  const std::ptrdiff_t items_;  // in a partition
  bool free_after_ = false;     // the program has let go of the handle
  std::optional<mpi::Outcome> known_;
};

class PartitionedSend final : public Partitioned {
 public:
  PartitionedSend(const Partitions& partitions, const mpi::Route& route, int destination);

  [[nodiscard]] bool receives() const override { return false; }
  [[nodiscard]] bool ready(int partition) override;

 private:
  [[nodiscard]] int begin_transfer() override;
  [[nodiscard]] bool advance() override;
  [[nodiscard]] mpi::Outcome end_round() override { return {status_, MPI_SUCCESS}; }

  void send_batch(std::size_t batch);
  void send_chunk(std::size_t chunk, std::span<const std::byte> values, bool own_memory);

  const std::optional<mpi::PredefinedType> type_;
  const std::size_t batch_;   // partitions in one
  const std::size_t pieces_;  // that a batch is cut into
  std::uint32_t tag_ = 0;
  bool header_sent_ = false;
  MPI_Status status_{};
  std::vector<std::atomic<bool>> due_;             // partitions that are not ready yet
  std::vector<std::atomic<std::size_t>> missing_;  // of each batch, partitions that are not ready
  std::atomic<std::size_t> batches_left_{0};
};

class PartitionedReceive final : public Partitioned {
 public:
  PartitionedReceive(const Partitions& partitions, const mpi::Route& route, int source);

  [[nodiscard]] bool receives() const override { return true; }
  [[nodiscard]] std::optional<bool> arrived(int partition) override;

 private:
  [[nodiscard]] int begin_transfer() override;
  [[nodiscard]] bool advance() override;
  [[nodiscard]] mpi::Outcome end_round() override;

  struct Slot {
    MPI_Request request = MPI_REQUEST_NULL;
    mpi::BufferPool::Lease memory;
  };

  // The rest with mutex_ held. Whether all is here.
  bool take_what_has_come();
  bool take_header();
  void post(Slot& slot);
  void take(std::span<const std::byte> frame);
  // How long that took.
  void tell_sender();
  void count(std::size_t begin, std::size_t size);
  void note(wire::Problem problem);
  [[nodiscard]] std::span<std::byte> values() const;
  [[nodiscard]] std::size_t chunks() const;
  // In bytes.
  [[nodiscard]] mpi::Part place_of(std::size_t chunk) const;

  std::mutex mutex_;
  bool in_round_ = false;
  bool header_here_ = false;
  std::optional<AskedFor> asked_;  // of this round
  int code_ = MPI_SUCCESS;         // of the header
  MPI_Status status_{};
  wire::RoundHeader cut_;
  std::size_t taken_ = 0;   // frames
  std::vector<bool> seen_;  // chunks
  std::vector<Slot> slots_;
  std::vector<std::size_t> missing_;  // bytes of each partition
  mpi::BufferPool::Lease values_;     // where the buffer is not contiguous
  std::optional<wire::Problem> problem_;
};

}  // namespace tightwire::p2p
