// Allgather and Allgatherv.
#include <algorithm>

#include "collective/entry/carry_out_movement.h"
#include "collective/entry/collective.h"
#include "collective/operation/movements.h"
#include "collective/operation/movements_between.h"
#include "mpi/device/coded_buffer.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::allgather;

// `largest` block, which decides for the call.
int gather_to_all(const Form& form, const mpi::CallName& name, const mpi::Buffer& own,
                  const Blocks& all, bool valid, std::size_t largest, const mpi::Place& place,
                  const PassThrough& pass) {
  const mpi::Participants& participants = place.participants;
  const MovementPlan plan =
      valid ? plan_movement(operation, largest, own, form.on(participants)) : MovementPlan{};
  const auto schedule =
      participants.are_between() ? &allgather_between_schedule : &allgather_schedule;
  return carry_out(form, plan, operation, name, participants.comm, pass, schedule, own, all);
}

// Whether MPI can be expected to take the own block.
bool is_valid(const mpi::Buffer& own, const mpi::Place& place) {
  return own.valid() || (own.in_place() && !place.participants.are_between());
}

int gather_blocks(const Form& form, const mpi::Buffer& own, const mpi::Buffer& block, MPI_Comm comm,
                  const PassThrough& pass) {
  mpi::CallName name{form.function};
  return mpi::guarded(name, comm, [&] {
    name.bytes = block.bytes();
    // Those of two groups may be of two sizes.
    const std::size_t largest = std::max(name.bytes, own.in_place() ? 0 : own.bytes());
    const auto fetch = [&] {
      mpi::fetch_left(own);
      mpi::fetch_left(block);
    };
    if (is_small(largest, form, comm)) {
      fetch();
      return mpi::passed(operation, name, pass);
    }
    const mpi::Place place = mpi::place_of_all(comm);
    const bool valid = place.valid && is_valid(own, place) && block.valid();
    const Blocks all(block);
    const auto call = [&] {
      return own.in_place() ? MovementCall{operation, largest, block.address, {all.of(place.rank)}}
                            : MovementCall{operation, largest, own.address, {own}};
    };
    const auto on_devices = [&](const MovementOnDevices& plan, Work& work) {
      return allgather_on_devices_schedule(plan, own, all, work);
    };
    const CalledOn on = form.on(place.participants);
    return carry_out_movement({operation, name, comm, pass}, valid, on, call, on_devices, [&] {
      fetch();
      return gather_to_all(form, name, own, all, valid, largest, place, pass);
    });
  });
}

// Between two groups a rank knows the counts of the other one alone, and its own.
int gather_uneven_between(const Form& form, mpi::CallName& name, const mpi::Buffer& own,
                          const Blocks& blocks, const mpi::Place& place, const PassThrough& pass) {
  const mpi::Participants& participants = place.participants;
  const bool valid = place.valid && is_valid(own, place) && blocks.valid(place.peers);
  MovementPlan plan = plan_uneven_if(valid, operation, form.on(participants));
  if (plan.counts_arriving()) {
    for (int rank = 0; rank < place.peers; ++rank) {
      plan.uneven.note_arriving(rank, blocks.bytes(rank));
    }
  }
  if (valid) name.bytes = blocks.bytes_of_all(place.peers);
  return carry_out(form, plan, operation, name, participants.comm, pass,
                   &allgather_between_schedule, own,
                   blocks.numbered(static_cast<std::size_t>(place.peers)));
}

int gather_uneven(const Form& form, const mpi::Buffer& own, const Blocks& blocks, MPI_Comm comm,
                  const PassThrough& pass) {
  mpi::CallName name{form.function};
  return mpi::guarded(name, comm, [&] {
    const mpi::Place place = mpi::place_of_all(comm);
    if (place.participants.are_between()) {
      return gather_uneven_between(form, name, own, blocks, place, pass);
    }
    const bool valid = place.valid && is_valid(own, place) && blocks.valid(place.size);
    // All ranks know all counts.
    if (valid) name.bytes = blocks.longest_bytes(place.size);
    if (is_small(name.bytes, form, comm)) return mpi::passed(operation, name, pass);
    const auto ranks = static_cast<std::size_t>(place.size);
    return gather_to_all(form, name, own, blocks.numbered(ranks), valid, name.bytes, place, pass);
  });
}

}  // namespace

int allgather(const Form& form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
              void* recvbuf, Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
              const PassThrough& pass) {
  return gather_blocks(form, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, comm,
                       pass);
}

int allgatherv(const Form& form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
               void* recvbuf, Counts recvcounts, Counts displs, MPI_Datatype recvtype,
               MPI_Comm comm, const PassThrough& pass) {
  return gather_uneven(form, {sendbuf, sendcount, sendtype},
                       {recvbuf, recvtype, recvcounts, displs}, comm, pass);
}

}  // namespace tightwire::collective
