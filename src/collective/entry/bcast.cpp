#include "collective/entry/carry_out.h"
#include "collective/entry/collective.h"
#include "collective/operation/movements.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::bcast;

}  // namespace

int bcast(void* buffer, Count count, MPI_Datatype datatype, int root, MPI_Comm comm,
          const PassThrough& pass) {
  const mpi::Buffer user{buffer, count, datatype};
  mpi::CallName name{"MPI_Bcast"};
  return mpi::guarded(name, comm, [&] {
    name.bytes = user.bytes();
    if (is_small(name.bytes)) return mpi::passed(operation, name, pass);
    const mpi::Place place = mpi::place_in(comm, root);
    const mpi::Buffer own = place.is_root ? user : mpi::Buffer{};
    const MovementPlan plan = place.valid && user.valid()
                                  ? plan_movement(operation, name.bytes, own, comm)
                                  : MovementPlan{};
    return carry_out(plan, operation, name, comm, pass,
                     [&](Work& work) { return bcast_schedule(plan, user, root, work); });
  });
}

}  // namespace tightwire::collective
