// The collectives among neighbours. No rank knows the others' sizes, nor who their neighbours are.
#include "collective/entry/carry_out.h"
#include "collective/entry/collective.h"
#include "collective/operation/neighbourhood.h"
#include "collective/plan/usable_communicator.h"
#include "mpi/communicator/communicator_state.h"

namespace tightwire::collective {
namespace {

using mpi::NeighbourCall;

// Nullptr where the call is for MPI to complain of.
std::shared_ptr<mpi::Neighbours> neighbours_in(MPI_Comm comm) {
  if (comm == MPI_COMM_SELF || !mpi::place_in(comm, 0).valid) return nullptr;
  return mpi::state_of(comm).neighbours(comm);
}

// Of a side without neighbours nothing is looked at.
bool is_sound(const Blocks& blocks, const std::vector<int>& ranks) {
  return ranks.empty() || blocks.valid(static_cast<int>(ranks.size()));
}

void note_arriving(const mpi::Neighbours& neighbours, const Blocks& to, MovementPlan& plan) {
  const std::vector<int>& sources = neighbours.sources();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] == MPI_PROC_NULL) continue;
    plan.uneven.note_arriving(sources[i], to.bytes(static_cast<int>(i)));
  }
}

// `pairs` decides between several messages to the same neighbour, if they differ.
Neighbourhood neighbourhood_of(const std::shared_ptr<mpi::Neighbours>& neighbours, const Form& form,
                               std::optional<NeighbourCall> pairs, MPI_Comm comm) {
  const bool waits = form.calling == Calling::waits;
  return {neighbours, pairs ? neighbours->of_call(*pairs, waits, comm) : neighbours->in_order()};
}

int exchange(policy::Operation operation, const Form& form, std::optional<NeighbourCall> pairs,
             const Blocks& from, const Blocks& to, MPI_Comm comm, const PassThrough& pass) {
  mpi::CallName name{form.function};
  return mpi::guarded(name, comm, [&] {
    if (passes_all(comm)) return mpi::passed(operation, name, pass, policy::Reason::same_host);
    const std::shared_ptr<mpi::Neighbours> neighbours = neighbours_in(comm);
    const bool valid = neighbours != nullptr && is_sound(from, neighbours->destinations()) &&
                       is_sound(to, neighbours->sources());
    MovementPlan plan = plan_uneven_if(valid, operation, form.on(mpi::Participants{comm}));
    if (plan.counts_arriving()) note_arriving(*neighbours, to, plan);
    const bool counts = !plan.passes_through() || runtime::current().reporting();
    const std::size_t sources = valid ? neighbours->sources().size() : 0;
    const std::size_t destinations = valid ? neighbours->destinations().size() : 0;
    if (valid && counts) name.bytes = to.bytes_of_all(static_cast<int>(sources));
    const Neighbourhood neighbourhood =
        plan.passes_through() ? Neighbourhood{} : neighbourhood_of(neighbours, form, pairs, comm);
    return carry_out(form, plan, operation, name, comm, pass, &neighbourhood_schedule,
                     neighbourhood, from.numbered(destinations), to.numbered(sources));
  });
}

int gather(const Form& form, const mpi::Buffer& own, const Blocks& to, MPI_Comm comm,
           const PassThrough& pass) {
  return exchange(policy::Operation::neighbor_allgather, form, std::nullopt, Blocks::repeated(own),
                  to, comm, pass);
}

}  // namespace

int neighbor_allgather(const Form& form, const void* sendbuf, Count sendcount,
                       MPI_Datatype sendtype, void* recvbuf, Count recvcount, MPI_Datatype recvtype,
                       MPI_Comm comm, const PassThrough& pass) {
  return gather(form, {sendbuf, sendcount, sendtype}, Blocks({recvbuf, recvcount, recvtype}), comm,
                pass);
}

int neighbor_allgatherv(const Form& form, const void* sendbuf, Count sendcount,
                        MPI_Datatype sendtype, void* recvbuf, Counts recvcounts, Counts displs,
                        MPI_Datatype recvtype, MPI_Comm comm, const PassThrough& pass) {
  return gather(form, {sendbuf, sendcount, sendtype}, {recvbuf, recvtype, recvcounts, displs}, comm,
                pass);
}

int neighbor_alltoall(const Form& form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
                      void* recvbuf, Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                      const PassThrough& pass) {
  return exchange(policy::Operation::neighbor_alltoall, form, NeighbourCall::alltoall,
                  Blocks({sendbuf, sendcount, sendtype}), Blocks({recvbuf, recvcount, recvtype}),
                  comm, pass);
}

int neighbor_alltoallv(const Form& form, const void* sendbuf, Counts sendcounts, Counts sdispls,
                       MPI_Datatype sendtype, void* recvbuf, Counts recvcounts, Counts rdispls,
                       MPI_Datatype recvtype, MPI_Comm comm, const PassThrough& pass) {
  return exchange(policy::Operation::neighbor_alltoall, form, NeighbourCall::alltoallv,
                  {sendbuf, sendtype, sendcounts, sdispls},
                  {recvbuf, recvtype, recvcounts, rdispls}, comm, pass);
}

int neighbor_alltoallw(const Form& form, const void* sendbuf, Counts sendcounts, Counts sdispls,
                       const MPI_Datatype* sendtypes, void* recvbuf, Counts recvcounts,
                       Counts rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm,
                       const PassThrough& pass) {
  return exchange(policy::Operation::neighbor_alltoall, form, NeighbourCall::alltoallw,
                  {sendbuf, sendtypes, sendcounts, sdispls},
                  {recvbuf, recvtypes, recvcounts, rdispls}, comm, pass);
}

}  // namespace tightwire::collective
