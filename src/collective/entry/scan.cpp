// Scan and Exscan.
#include "collective/entry/carry_out.h"
#include "collective/entry/collective.h"
#include "collective/operation/reductions.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::scan;

// Wrong buffers are for MPI to complain of; rank 0's receive buffer of an Exscan means nothing.
bool sound(const void* sendbuf, const void* recvbuf, bool receives) {
  const bool can = recvbuf != nullptr && recvbuf != MPI_IN_PLACE && sendbuf != recvbuf;
  return sendbuf != nullptr && (can || !receives);
}

int prefix(const Form& form, bool inclusive, const void* sendbuf, void* recvbuf, Count count,
           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, const PassThrough& pass) {
  const mpi::Buffer own = mpi::own_values(sendbuf, recvbuf, count, datatype);
  const mpi::Buffer result{recvbuf, count, datatype};
  mpi::CallName name{form.function};
  return mpi::guarded(name, comm, [&] {
    name.bytes = own.bytes();
    if (is_small(name.bytes, form, comm)) return mpi::passed(operation, name, pass);
    const mpi::Place place = mpi::place_in(comm, 0);
    const bool receives = inclusive || place.rank != 0;
    const ReductionPlan plan = plan_reduction_if(place.valid && sound(sendbuf, recvbuf, receives),
                                                 operation, own, op, form.on(place.participants));
    return carry_out(form, plan, operation, name, comm, pass, &scan_schedule, result, inclusive);
  });
}

}  // namespace

int scan(const Form& form, const void* sendbuf, void* recvbuf, Count count, MPI_Datatype datatype,
         MPI_Op op, MPI_Comm comm, const PassThrough& pass) {
  return prefix(form, true, sendbuf, recvbuf, count, datatype, op, comm, pass);
}

int exscan(const Form& form, const void* sendbuf, void* recvbuf, Count count, MPI_Datatype datatype,
           MPI_Op op, MPI_Comm comm, const PassThrough& pass) {
  return prefix(form, false, sendbuf, recvbuf, count, datatype, op, comm, pass);
}

}  // namespace tightwire::collective
