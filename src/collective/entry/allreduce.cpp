#include "collective/entry/carry_out_reduction.h"
#include "collective/entry/collective.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::allreduce;

// Wrong buffers are for MPI to complain of.
bool sound(const void* sendbuf, const void* recvbuf) {
  return sendbuf != nullptr && recvbuf != nullptr && recvbuf != MPI_IN_PLACE && sendbuf != recvbuf;
}

int reduce_to_all(const Form& form, const void* sendbuf, void* recvbuf, Count count,
                  MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, const PassThrough& pass) {
  const mpi::Buffer own = mpi::own_values(sendbuf, recvbuf, count, datatype);
  const mpi::Buffer result{recvbuf, count, datatype};
  mpi::CallName name{form.function};
  return mpi::guarded(name, comm, [&] {
    name.bytes = own.bytes();
    const ReductionCall call{form, operation, name, own, op, comm, pass};
    if (is_small(name.bytes, form, comm)) return pass_small(call);
    const mpi::Place place = mpi::place_in(comm, 0);
    return carry_out_reduction(call, place.valid && sound(sendbuf, recvbuf), place, {}, true,
                               &allreduce_schedule, result);
  });
}

}  // namespace

int allreduce(const Form& form, const void* sendbuf, void* recvbuf, Count count,
              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, const PassThrough& pass) {
  return reduce_to_all(form, sendbuf, recvbuf, count, datatype, op, comm, pass);
}

}  // namespace tightwire::collective
