#include "collective/entry/carry_out.h"
#include "collective/entry/collective.h"
#include "collective/operation/movements.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::bcast;

int broadcast_to_all(const Form& form, const mpi::Buffer& user, int root, MPI_Comm comm,
                     const PassThrough& pass) {
  mpi::CallName name{form.function};
  return mpi::guarded(name, comm, [&] {
    name.bytes = user.bytes();
    if (is_small(name.bytes)) return mpi::passed(operation, name, pass);
    // Not valid where a rank passes MPI_PROC_NULL, whatever the others do: MPI's own call does
    // nothing then.
    const mpi::Place place = mpi::place_of_bcast(comm, root);
    const mpi::Buffer own = place.is_root ? user : mpi::Buffer{};
    const MovementPlan plan =
        place.valid && user.valid()
            ? plan_movement(operation, name.bytes, own, form.on(place.participants))
            : MovementPlan{};
    return carry_out(form, plan, operation, name, comm, pass, &bcast_schedule, user,
                     mpi::root_of(place, root));
  });
}

}  // namespace

int bcast(const Form& form, void* buffer, Count count, MPI_Datatype datatype, int root,
          MPI_Comm comm, const PassThrough& pass) {
  return broadcast_to_all(form, {buffer, count, datatype}, root, comm, pass);
}

}  // namespace tightwire::collective
