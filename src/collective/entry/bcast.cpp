#include "collective/entry/carry_out_movement.h"
#include "collective/entry/collective.h"
#include "collective/operation/movements.h"
#include "mpi/device/coded_buffer.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::bcast;

int broadcast_to_all(const Form& form, const mpi::Buffer& user, int root, MPI_Comm comm,
                     const PassThrough& pass) {
  mpi::CallName name{form.function};
  return mpi::guarded(name, comm, [&] {
    name.bytes = user.bytes();
    if (is_small(name.bytes, form, comm)) {
      mpi::fetch_left(user);
      return mpi::passed(operation, name, pass);
    }
    // Not valid where a rank passes MPI_PROC_NULL, whatever the others do: MPI's own call does
    // nothing then.
    const mpi::Place place = mpi::place_of_bcast(comm, root);
    const bool valid = place.valid && user.valid();
    const int from = mpi::root_of(place, root);
    const CalledOn on = form.on(place.participants);
    const auto call = [&] {
      MovementCall made{operation, name.bytes};
      if (place.is_root) {
        made.image = user.address;
        made.sent = {user};
      }
      return made;
    };
    const auto on_devices = [&](const MovementOnDevices& plan, Work& work) {
      return bcast_on_devices_schedule(plan, user, from, work);
    };
    return carry_out_movement({operation, name, comm, pass}, valid, on, call, on_devices, [&] {
      fetch_for_plan(user);
      const mpi::Buffer own = place.is_root ? user : mpi::Buffer{};
      const MovementPlan plan =
          valid ? plan_movement(operation, name.bytes, own, on) : MovementPlan{};
      if (plan.passes_through()) mpi::fetch_left(user);
      return carry_out(form, plan, operation, name, comm, pass, &bcast_schedule, user, from);
    });
  });
}

}  // namespace

int bcast(const Form& form, void* buffer, Count count, MPI_Datatype datatype, int root,
          MPI_Comm comm, const PassThrough& pass) {
  return broadcast_to_all(form, {buffer, count, datatype}, root, comm, pass);
}

}  // namespace tightwire::collective
