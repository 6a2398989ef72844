// Which messages an audit takes samples of, and with which earlier ones it compares them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "audit/cost.h"
#include "audit/sample.h"
#include "audit/watch.h"
#include "interpose/audit/rows.h"
#include "mpi/buffer.h"

namespace tightwire::auditor {

struct Message {
  const mpi::Buffer& buffer;
  audit::Channel channel;
  codec::ElementType type;
  bool derived;
  unsigned terms;
};

// Not thread safe. Throws MpiError and std::bad_alloc.
class Sampling {
 public:
  // The first message of a row, then ever fewer of them, while `cost` affords it. Beside each
  // sample the messages that follow it on its channel are kept for one that is compared with them,
  // if `all_are_seen`.
  void look(Row& row, const Message& message, bool all_are_seen, audit::Cost& cost);

 private:
  using Bytes = std::span<const std::byte>;

  [[nodiscard]] Bytes values_of(const mpi::Buffer& buffer, bool derived);
  [[nodiscard]] Bytes part_of(const Message& message, std::uint64_t turn);
  void sample(Row& row, const Message& message, Bytes part, codec::References earlier);
  void begin_to_watch(Row& row, const Message& message, std::uint64_t turn, Bytes part);
  void watch(Row& row, audit::Watch& watch, const Message& message, audit::Cost& cost);

  audit::Sampler sampler_;
  std::vector<std::byte> packed_;
  audit::Watches watches_;
};

}  // namespace tightwire::auditor
