#include "collective/entry/carry_out_reduction.h"
#include "collective/entry/collective.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::reduce;

// Wrong arguments are for MPI to complain of. The receive buffer means something at the root alone.
bool sound(const void* sendbuf, const void* recvbuf, const mpi::Place& place) {
  if (!place.valid || sendbuf == nullptr) return false;
  if (!place.is_root) return sendbuf != MPI_IN_PLACE;
  return recvbuf != nullptr && recvbuf != MPI_IN_PLACE && sendbuf != recvbuf;
}

int reduce_to_root(const Form& form, const void* sendbuf, void* recvbuf, Count count,
                   MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
                   const PassThrough& pass) {
  const mpi::Buffer own = mpi::own_values(sendbuf, recvbuf, count, datatype);
  mpi::CallName name{form.function};
  return mpi::guarded(name, comm, [&] {
    name.bytes = own.bytes();
    const ReductionCall call{form, operation, name, own, op, comm, pass};
    if (is_small(name.bytes, form, comm)) return pass_small(call);
    const mpi::Place place = mpi::place_in(comm, root);
    const mpi::Buffer result =
        place.is_root ? mpi::Buffer{recvbuf, count, datatype} : mpi::Buffer{};
    return carry_out_reduction(call, sound(sendbuf, recvbuf, place), place, {}, true,
                               &reduce_schedule, result, root);
  });
}

}  // namespace

int reduce(const Form& form, const void* sendbuf, void* recvbuf, Count count, MPI_Datatype datatype,
           MPI_Op op, int root, MPI_Comm comm, const PassThrough& pass) {
  return reduce_to_root(form, sendbuf, recvbuf, count, datatype, op, root, comm, pass);
}

}  // namespace tightwire::collective
