// Alltoall, Alltoallv and Alltoallw.
#include <algorithm>

#include "collective/entry/carry_out_movement.h"
#include "collective/entry/collective.h"
#include "collective/operation/movements.h"
#include "collective/operation/movements_between.h"
#include "collective/plan/usable_communicator.h"
#include "mpi/device/coded_buffer.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::alltoall;

// What the report counts is looked up only where there is one.
std::size_t blocks_to_count(MPI_Comm comm) {
  if (!runtime::current().reporting()) return 1;
  return static_cast<std::size_t>(mpi::place_of_all(comm).peers);
}

// Whether MPI can be expected to take what is sent: between two groups nothing can be in place.
bool is_valid(bool in_place, bool valid, const mpi::Place& place) {
  return in_place ? !place.participants.are_between() : valid;
}

auto schedule_for(const mpi::Place& place) {
  return place.participants.are_between() ? &alltoall_between_schedule : &alltoall_schedule;
}

// In place blocks come to where others are still to be sent from: then no GPU has any.
MovementCall call_on_devices(const mpi::Buffer& sent, std::size_t bytes, int ranks) {
  MovementCall call{operation, bytes, nullptr, {sent}};
  if (sent.in_place()) return call;
  call.image = sent.address;
  call.sent.clear();
  for (int rank = 0; rank < ranks; ++rank) call.sent.push_back(Blocks(sent).of(rank));
  return call;
}

int exchange_blocks_of_all(const Form& form, const mpi::Buffer& sent, const mpi::Buffer& received,
                           MPI_Comm comm, const PassThrough& pass) {
  mpi::CallName name{form.function};
  return mpi::guarded(name, comm, [&] {
    name.bytes = received.bytes();
    name.blocks = blocks_to_count(comm);
    // Those of two groups may be of two sizes.
    const std::size_t largest = std::max(name.bytes, sent.in_place() ? 0 : sent.bytes());
    const auto fetch = [&] {
      mpi::fetch_left(sent);
      mpi::fetch_left(received);
    };
    if (is_small(largest, form, comm)) {
      fetch();
      return mpi::passed(operation, name, pass);
    }
    const mpi::Place place = mpi::place_of_all(comm);
    const bool valid =
        place.valid && is_valid(sent.in_place(), sent.valid(), place) && received.valid();
    const CalledOn on = form.on(place.participants);
    const Blocks from(sent);
    const Blocks to(received);
    const auto call = [&] { return call_on_devices(sent, largest, place.size); };
    const auto on_devices = [&](const MovementOnDevices& plan, Work& work) {
      return alltoall_on_devices_schedule(plan, from, to, work);
    };
    return carry_out_movement({operation, name, comm, pass}, valid, on, call, on_devices, [&] {
      fetch_for_plan(sent);
      // In place, blocks come to where others are yet to come from a device.
      mpi::fetch_left(received);
      const mpi::Buffer& own = sent.in_place() ? received : sent;
      const MovementPlan plan = valid ? plan_movement(operation, largest, own, on) : MovementPlan{};
      if (plan.passes_through()) mpi::fetch_left(sent);
      return carry_out(form, plan, operation, name, comm, pass, schedule_for(place), from, to);
    });
  });
}

// Alltoallv and Alltoallw, in which no rank knows the others' sizes. In place, `to` is `from`.
int exchange_uneven(const Form& form, const Blocks& from, const Blocks& to, MPI_Comm comm,
                    const PassThrough& pass) {
  mpi::CallName name{form.function};
  return mpi::guarded(name, comm, [&] {
    if (passes_all(comm)) return mpi::passed(operation, name, pass, policy::Reason::same_host);
    const mpi::Place place = mpi::place_of_all(comm);
    const bool valid = place.valid && is_valid(from.in_place(), from.valid(place.peers), place) &&
                       to.valid(place.peers);
    MovementPlan plan = plan_uneven_if(valid, operation, form.on(place.participants));
    if (plan.counts_arriving()) {
      for (int rank = 0; rank < place.peers; ++rank) {
        plan.uneven.note_arriving(rank, to.bytes(rank));
      }
    }
    const bool counts = !plan.passes_through() || runtime::current().reporting();
    if (valid && counts) name.bytes = to.bytes_of_all(place.peers);
    const auto ranks = static_cast<std::size_t>(place.peers);
    return carry_out(form, plan, operation, name, comm, pass, schedule_for(place),
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
