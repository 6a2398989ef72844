#include "collective/plan/on_devices/host_way.h"

#include <new>

#include "mpi/communicator/learned.h"
#include "mpi/error.h"

namespace tightwire::collective {

void note_device_way(mpi::Communicator& communicator, const policy::DeviceTrials::Kind& kind,
                     std::chrono::steady_clock::time_point start, const Traffic& traffic) {
  policy::DeviceCallMemory& calls = communicator.learned->on_devices;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  calls.note_call(kind, took.count());
  if (traffic.bytes_before == 0) return;
  calls.note_fraction(
      kind, static_cast<double>(traffic.bytes_after) / static_cast<double>(traffic.bytes_before));
}

// In an intracommunicator all ranks have made it in the same call.
void ScopedHostWay::note() const noexcept try {
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin_;
  if (on_.comm() == MPI_COMM_NULL) return;
  const mpi::Communicator* const communicator = mpi::known_communicator(on_.comm());
  if (communicator == nullptr || communicator->learned == nullptr) return;
  communicator->learned->on_devices.note_host_call(kind_on_devices(operation_, bytes_),
                                                   took.count());
} catch (const mpi::MpiError&) {
  // The call has told of it.
} catch (const std::bad_alloc&) {
  // Then nothing is known of it.
}

}  // namespace tightwire::collective
