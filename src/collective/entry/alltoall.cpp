// Alltoall, Alltoallv and Alltoallw.
#include "collective/entry/carry_out.h"
#include "collective/entry/collective.h"
#include "collective/operation/movements.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::alltoall;

// What the report counts is looked up only where there is one.
std::size_t blocks_to_count(MPI_Comm comm) {
  if (!runtime::current().reporting()) return 1;
  return static_cast<std::size_t>(mpi::place_in(comm, 0).size);
}

int exchange_blocks_of_all(const Form& form, const mpi::Buffer& sent, const mpi::Buffer& received,
                           MPI_Comm comm, const PassThrough& pass) {
  mpi::CallName name{form.function};
  return mpi::guarded(name, comm, [&] {
    name.bytes = received.bytes();
    name.blocks = blocks_to_count(comm);
    if (is_small(name.bytes)) return mpi::passed(operation, name, pass);
    const mpi::Place place = mpi::place_in(comm, 0);
    const bool valid = place.valid && (sent.in_place() || sent.valid()) && received.valid();
    const mpi::Buffer& own = sent.in_place() ? received : sent;
    const MovementPlan plan =
        valid ? plan_movement(operation, name.bytes, own, form.on(comm)) : MovementPlan{};
    return carry_out(form, plan, operation, name, comm, pass, &alltoall_schedule, Blocks(sent),
                     Blocks(received));
  });
}

// Alltoallv and Alltoallw, in which no rank knows the others' sizes. In place, `to` is `from`.
int exchange_uneven(const Form& form, const Blocks& from, const Blocks& to, MPI_Comm comm,
                    const PassThrough& pass) {
  mpi::CallName name{form.function};
  return mpi::guarded(name, comm, [&] {
    if (passes_all(comm)) return mpi::passed(operation, name, pass, policy::Reason::same_host);
    const mpi::Place place = mpi::place_in(comm, 0);
    const bool from_valid = from.in_place() || from.valid(place.size);
    const bool valid = place.valid && from_valid && to.valid(place.size);
    MovementPlan plan = plan_uneven_if(valid, operation, form.on(comm));
    if (plan.plain() != nullptr) {
      for (int rank = 0; rank < place.size; ++rank) {
        plan.uneven.note_arriving(rank, to.bytes(rank));
      }
    }
    const bool counts = !plan.passes_through() || runtime::current().reporting();
    if (valid && counts) name.bytes = to.bytes_of_all(place.size);
    const auto ranks = static_cast<std::size_t>(place.size);
    return carry_out(form, plan, operation, name, comm, pass, &alltoall_schedule,
                     from.numbered(ranks), to.numbered(ranks));
  });
}

}  // namespace

int alltoall(const Form& form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
             void* recvbuf, Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
             const PassThrough& pass) {
  return exchange_blocks_of_all(form, {sendbuf, sendcount, sendtype},
                                {recvbuf, recvcount, recvtype}, comm, pass);
}

int alltoallv(const Form& form, const void* sendbuf, Counts sendcounts, Counts sdispls,
              MPI_Datatype sendtype, void* recvbuf, Counts recvcounts, Counts rdispls,
              MPI_Datatype recvtype, MPI_Comm comm, const PassThrough& pass) {
  return exchange_uneven(form, {sendbuf, sendtype, sendcounts, sdispls},
                         {recvbuf, recvtype, recvcounts, rdispls}, comm, pass);
}

int alltoallw(const Form& form, const void* sendbuf, Counts sendcounts, Counts sdispls,
              const MPI_Datatype* sendtypes, void* recvbuf, Counts recvcounts, Counts rdispls,
              const MPI_Datatype* recvtypes, MPI_Comm comm, const PassThrough& pass) {
  return exchange_uneven(form, {sendbuf, sendtypes, sendcounts, sdispls},
                         {recvbuf, recvtypes, recvcounts, rdispls}, comm, pass);
}

}  // namespace tightwire::collective
