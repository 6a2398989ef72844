#include "interpose/audit/auditor.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <vector>

#include "audit/cost.h"
#include "audit/sample.h"
#include "interpose/audit/collect.h"
#include "interpose/audit/communicators.h"
#include "interpose/audit/rows.h"
#include "mpi/datatype/element_type.h"
#include "mpi/device/memory_space.h"
#include "mpi/error.h"
#include "runtime/call_site.h"
#include "runtime/log.h"
#include "runtime/runtime.h"

namespace tightwire::auditor {
namespace {

using Clock = std::chrono::steady_clock;

// Nobody compresses less; packing more of a derived type than this to look at a part of it costs
// too much.
constexpr std::size_t smallest_sampled = 256;
constexpr std::size_t largest_packed = std::size_t{4} << 20;

struct Audit {
  std::mutex mutex;
  Rows rows;
  audit::Sampler sampler;
  std::vector<std::byte> packed;
  std::map<MPI_Request, std::pair<recorder::Call, mpi::Buffer>> prepared;
  audit::Cost cost;
};

Audit& audit_of_process() {
  // Never destroyed: threads of the program may outlive static destruction.
  static auto* const audit = new Audit;
  return *audit;
}

// What MPI complains of it will complain of to the program.
template <class Body>
void quietly(const Body& body) noexcept {
  try {
    body();
  } catch (const mpi::MpiError&) {
    return;
  } catch (const std::bad_alloc&) {
    detail::active = false;
    runtime::log("no memory to audit calls with: the audit ends here");
  }
}

std::uint8_t reduction_of(MPI_Op op) {
  if (op == MPI_OP_NULL) return 0;
  if (op == MPI_SUM) return 1;
  if (op == MPI_MIN) return 2;
  return op == MPI_MAX ? 3 : 4;
}

// A part of the message that changes from sample to sample, in whole values.
std::span<const std::byte> part_of(std::span<const std::byte> values, std::uint64_t turn,
                                   std::size_t element) {
  const std::size_t size = std::min(values.size(), audit::largest_sample);
  const std::size_t places = values.size() / size;
  return values.subspan(turn % places * size, size / element * element);
}

std::span<const std::byte> values_of(Audit& audit, const mpi::Buffer& buffer, bool derived) {
  if (!derived) return buffer.host_bytes();
  const std::size_t size = buffer.bytes();
  if (size > largest_packed) return {};
  int packed_size = 0;
  mpi::check(
      PMPI_Pack_size(static_cast<int>(buffer.count), buffer.datatype, MPI_COMM_SELF, &packed_size));
  audit.packed.resize(std::max(size, static_cast<std::size_t>(packed_size)));
  int at = 0;
  mpi::check(PMPI_Pack(buffer.address, static_cast<int>(buffer.count), buffer.datatype,
                       audit.packed.data(), static_cast<int>(audit.packed.size()), &at,
                       MPI_COMM_SELF));
  return std::span(audit.packed).first(std::min(size, static_cast<std::size_t>(at)));
}

struct Message {
  const mpi::Buffer& buffer;
  std::size_t bytes;
  codec::ElementType type;
  bool derived;
  unsigned terms;
};

// With the mutex held. The first call of a kind, then ever fewer of them.
void sample_if_due(Audit& audit, Row& row, const Message& message) {
  if (message.bytes < smallest_sampled || row.figures.calls < row.next_sample) return;
  const std::size_t read = std::min(message.bytes, audit::largest_sample);
  if (!audit.cost.affords_sample(read + (message.derived ? message.bytes : 0))) return;
  if (mpi::memory_space_of(message.buffer.address) != mpi::MemorySpace::host) return;
  const auto begin = Clock::now();
  const std::uint64_t turn = row.figures.samples.count;
  const auto values = values_of(audit, message.buffer, message.derived);
  if (!values.empty()) {
    const auto part = part_of(values, turn, codec::element_size(message.type));
    row.figures.samples.add(audit.sampler.take(message.type, part, message.terms));
  }
  row.next_sample = row.figures.calls + row.figures.calls / 4 + 1;
  audit.cost.count_sample(read, Clock::now() - begin);
}

}  // namespace

Observation::Observation(const char* function) noexcept
    : function_(function), weight_(audit_of_process().cost.weight_of_next_call()) {
  if (!counted()) return;
  entered_ = Clock::now();
  site_ = runtime::program_call_site();
}

void Observation::message(const recorder::Call& call, const mpi::Buffer& values,
                          MPI_Op op) noexcept {
  if (!values.valid() || call.comm == MPI_COMM_NULL) return;
  quietly([&] {
    const std::size_t bytes = values.bytes();
    const auto predefined = mpi::predefined(values.datatype);
    const auto element = predefined ? predefined : mpi::element_of(values.datatype);
    const CommunicatorFacts& facts = facts_of(call.comm);
    const auto type = element ? element->element : codec::ElementType::bytes;
    const std::uint8_t reduction = reduction_of(op);
    Audit& audit = audit_of_process();
    const std::scoped_lock lock(audit.mutex);
    row_ = &audit.rows.of({site_, call.function, audit.rows.number_of(facts.name, facts.size),
                           facts.where(call.peer), type, !predefined, reduction,
                           static_cast<std::uint8_t>(audit::size_class_of(bytes))});
    row_->figures.calls += weight_;
    row_->figures.bytes += weight_ * bytes;
    if (const int to = facts.world_rank(call.peer); to >= 0) {
      audit.rows.count_sent(to, weight_, weight_ * bytes);
    }
    if (predefined && values.address == nullptr) return;
    const unsigned terms = reduction == 1 ? static_cast<unsigned>(std::max(facts.size, 1)) : 1;
    sample_if_due(audit, *row_, {values, bytes, type, !predefined, terms});
  });
}

void Observation::parts(const recorder::Call& call, const collective::Blocks& blocks) noexcept {
  quietly([&] {
    const int ranks = recorder::ranks(call.comm);
    for (int rank = 0; blocks.valid(ranks) && rank < ranks; ++rank) {
      recorder::Call one = call;
      one.peer = rank;
      message(one, blocks.of(rank));
    }
  });
}

void Observation::prepared(const recorder::Call& call, const mpi::Buffer& values,
                           MPI_Request request) noexcept {
  quietly([&] {
    Audit& audit = audit_of_process();
    const std::scoped_lock lock(audit.mutex);
    audit.prepared.insert_or_assign(request, std::pair(call, values));
  });
}

void Observation::started(MPI_Request request) noexcept {
  quietly([&] {
    std::optional<std::pair<recorder::Call, mpi::Buffer>> found;
    {
      Audit& audit = audit_of_process();
      const std::scoped_lock lock(audit.mutex);
      const auto prepared = audit.prepared.find(request);
      if (prepared != audit.prepared.end()) found = prepared->second;
    }
    if (found) message(found->first, found->second);
  });
}

void Observation::started(int count, const MPI_Request* requests) noexcept {
  for (int i = 0; i < count; ++i) started(requests[i]);
}

void Observation::account(Clock::time_point begin, Clock::time_point end) noexcept {
  quietly([&] {
    const auto weight = static_cast<double>(weight_);
    const double seconds = std::chrono::duration<double>(end - begin).count();
    Audit& audit = audit_of_process();
    const std::scoped_lock lock(audit.mutex);
    if (row_ == nullptr) {
      row_ = &audit.rows.of({site_, function_});
      row_->figures.calls += weight_;
    }
    row_->figures.seconds += weight * seconds;
    audit.cost.count_call(begin - entered_, weight * seconds);
  });
}

void start() {
  const runtime::Runtime& runtime = runtime::current();
  if (runtime.settings.audit.value.empty() || runtime.nodes.nodes() == 0) return;
  prepare_collection();
  audit_of_process().cost.start();
  runtime::want_call_sites();
  detail::active = true;
}

void finish() {
  if (!active()) return;
  detail::active = false;
  Audit& audit = audit_of_process();
  audit::Profile own;
  {
    const std::scoped_lock lock(audit.mutex);
    audit.cost.add_to(own);
  }
  collect([&] {
    const std::scoped_lock lock(audit.mutex);
    audit.rows.add_to(own, runtime::current().rank);
    return own;
  });
}

}  // namespace tightwire::auditor
