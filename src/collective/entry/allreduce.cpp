#include "collective/entry/carry_out.h"
#include "collective/entry/collective.h"
#include "collective/operation/reductions.h"
#include "collective/plan/reduction_on_devices.h"
#include "mpi/device/coded_buffer.h"

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
    if (is_small(name.bytes)) {
      mpi::fetch_left(own);
      return mpi::passed(operation, name, pass);
    }
    const mpi::Place place = mpi::place_in(comm, 0);
    const bool valid = place.valid && sound(sendbuf, recvbuf);
    const CalledOn on = form.on(place.participants);
    if (const auto plan = plan_reduction_on_devices(valid, operation, own, op, on)) {
      return carry_out_waiting(*plan, operation, name, comm, pass, [&](Work& work) {
        return allreduce_on_devices_schedule(*plan, result, work);
      });
    }
    mpi::fetch_left(own);
    const ReductionPlan plan = plan_reduction_if(valid, operation, own, op, on);
    return carry_out(form, plan, operation, name, comm, pass, &allreduce_schedule, result);
  });
}

}  // namespace

int allreduce(const Form& form, const void* sendbuf, void* recvbuf, Count count,
              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, const PassThrough& pass) {
  return reduce_to_all(form, sendbuf, recvbuf, count, datatype, op, comm, pass);
}

}  // namespace tightwire::collective
