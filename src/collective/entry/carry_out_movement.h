// What the entry points of operations do that move data of one size: GPUs carry the call out where
// those who send have their values on some, else it is planned on the host.
#pragma once

#include <optional>

#include "collective/entry/carry_out.h"
#include "collective/operation/on_devices/movements.h"
#include "collective/plan/on_devices/host_way.h"

namespace tightwire::collective {

struct MovementByName {
  policy::Operation operation{};
  const mpi::CallName& name;
  MPI_Comm comm = MPI_COMM_NULL;
  const mpi::PassThrough& pass;
};

// Of a call that is `valid`, as far as it can be told here. `call()` makes a MovementCall,
// `on_devices(plan, work)` its schedule there; `by_host()` carries it out otherwise.
template <class MakeCall, class OnDevices, class ByHost>
int carry_out_movement(const MovementByName& named, bool valid, const CalledOn& on, MakeCall call,
                       OnDevices on_devices, ByHost by_host) {
  std::optional<ScopedHostWay> host_way;
  if (valid && may_be_on_devices(on)) {
    if (const auto plan = plan_movement_on_devices(call(), on)) {
      return carry_out_waiting(*plan, named.operation, named.name, named.comm, named.pass,
                               [&](Work& work) { return on_devices(*plan, work); });
    }
    host_way.emplace(on, named.operation, named.name.bytes);
  }
  return by_host();
}

}  // namespace tightwire::collective
