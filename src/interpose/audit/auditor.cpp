#include "interpose/audit/auditor.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <vector>

#include "audit/cost.h"
#include "interpose/audit/collect.h"
#include "interpose/audit/communicators.h"
#include "interpose/audit/prepared.h"
#include "interpose/audit/rows.h"
#include "interpose/audit/sampling.h"
#include "mpi/datatype/element_type.h"
#include "mpi/where_memory_allows.h"
#include "runtime/call_site.h"
#include "runtime/log.h"
#include "runtime/runtime.h"

namespace tightwire::auditor {
namespace {

using Clock = std::chrono::steady_clock;

struct Audit {
  std::mutex mutex;
  Rows rows;
  Sampling sampling;
  PreparedLooks prepared;  // has a mutex of its own
  audit::Cost cost;
};

Audit& audit_of_process() {
  // Never destroyed: threads of the program may outlive static destruction.
  static auto* const audit = new Audit;
  return *audit;
}

template <class Body>
void quietly(const Body& body) noexcept {
  mpi::where_possible(body, [] {
    detail::active = false;
    runtime::log("no memory to audit calls with: the audit ends here");
  });
}

std::uint8_t reduction_of(MPI_Op op) {
  if (op == MPI_OP_NULL) return 0;
  if (op == MPI_SUM) return 1;
  if (op == MPI_MIN) return 2;
  return op == MPI_MAX ? 3 : 4;
}

void look_at_each(Observation& seen, const recorder::Call& call, const collective::Blocks& blocks,
                  const std::vector<int>& peers) {
  recorder::visit_blocks(
      call, blocks, peers,
      [&](const recorder::Call& one, const mpi::Buffer& values) { seen.message(one, values); });
}

// In a communicator of which a call has a block for each rank; else nothing.
std::optional<int> own_rank(MPI_Comm comm) {
  int rank = 0;
  if (recorder::ranks(comm) == 0 || PMPI_Comm_rank(comm, &rank) != MPI_SUCCESS) return std::nullopt;
  return rank;
}

}  // namespace

mpi::Buffer own_block(void* blocks, mpi::Count count, MPI_Datatype type, MPI_Comm comm) noexcept {
  mpi::Buffer own;
  quietly([&] {
    if (const auto rank = own_rank(comm)) {
      own = mpi::Buffer(blocks, count, type).at(*rank * count, count);
    }
  });
  return own;
}

mpi::Buffer own_block(void* blocks, mpi::Counts counts, mpi::Counts displacements,
                      MPI_Datatype type, MPI_Comm comm) noexcept {
  mpi::Buffer own;
  quietly([&] {
    const auto rank = own_rank(comm);
    if (!rank || !counts.given() || !displacements.given()) return;
    own = mpi::Buffer(blocks, 0, type).at(displacements[*rank], counts[*rank]);
  });
  return own;
}

Observation::Observation(const char* function) noexcept
    : function_(function), weight_(audit_of_process().cost.weight_of_next_call()) {
  if (!counted()) return;
  entered_ = Clock::now();
  site_ = runtime::program_call_site();
}

void Observation::look_at(const recorder::Call& call, const mpi::Buffer& values, MPI_Op op,
                          bool is_ready) {
  if (!values.valid() || call.comm == MPI_COMM_NULL) return;
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
  const audit::Channel channel{call.peer, call.tag, bytes};
  row_->note(channel);
  if (!is_ready || (predefined && values.address == nullptr)) return;
  const unsigned terms = reduction == 1 ? static_cast<unsigned>(std::max(facts.size, 1)) : 1;
  audit.sampling.look(*row_, {values, channel, type, !predefined, terms}, weight_ == 1, audit.cost);
}

void Observation::message(const recorder::Call& call, const mpi::Buffer& values,
                          MPI_Op op) noexcept {
  quietly([&] { look_at(call, values, op, true); });
}

void Observation::parts(const recorder::Call& call, const collective::Blocks& blocks) noexcept {
  quietly([&] { look_at_each(*this, call, blocks, recorder::all_ranks(call.comm)); });
}

void Observation::neighbours(const recorder::Call& call,
                             const collective::Blocks& blocks) noexcept {
  quietly([&] { look_at_each(*this, call, blocks, recorder::destinations(call.comm)); });
}

void Observation::prepared(const recorder::Call& call, const mpi::Buffer& values, MPI_Op op,
                           MPI_Request request) noexcept {
  quietly([&] {
    if (!values.valid()) return;
    audit_of_process().prepared.keep(request,
                                     [call, op, held = HeldBuffer(values)](Observation& seen) {
                                       seen.message(call, held.get(), op);
                                     });
  });
}

void Observation::prepared_parts(const recorder::Call& call, const collective::Blocks& blocks,
                                 MPI_Request request) noexcept {
  quietly([&] {
    const int ranks = recorder::ranks(call.comm);
    if (ranks == 0 || !blocks.valid(ranks)) return;
    audit_of_process().prepared.keep(
        request, [call, held = HeldBlocks(blocks, static_cast<std::size_t>(ranks))](
                     Observation& seen) { seen.parts(call, held.get()); });
  });
}

void Observation::prepared_neighbours(const recorder::Call& call, const collective::Blocks& blocks,
                                      MPI_Request request) noexcept {
  quietly([&] {
    const std::size_t number = recorder::destinations(call.comm).size();
    if (!blocks.valid(static_cast<int>(number))) return;
    audit_of_process().prepared.keep(request,
                                     [call, held = HeldBlocks(blocks, number)](Observation& seen) {
                                       seen.neighbours(call, held.get());
                                     });
  });
}

void Observation::prepared_unready(const recorder::Call& call, const mpi::Buffer& values,
                                   MPI_Request request) noexcept {
  quietly([&] {
    if (!values.valid()) return;
    audit_of_process().prepared.keep(request, [call, held = HeldBuffer(values)](Observation& seen) {
      seen.look_at(call, held.get(), MPI_OP_NULL, false);
    });
  });
}

void Observation::forget(MPI_Request request) noexcept {
  audit_of_process().prepared.forget(request);
}

void Observation::started(MPI_Request request) noexcept {
  quietly([&] {
    if (const auto look = audit_of_process().prepared.find(request)) (*look)(*this);
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
  audit.prepared.clear();
}

}  // namespace tightwire::auditor
