// Gather and Scatter, and their v-forms. In a gather every rank's block goes to the root, which
// decodes one rank's while the next one's arrives; in a scatter the root encodes each rank's block
// once and sends it there.
#include "collective/entry/carry_out_movement.h"
#include "collective/entry/collective.h"
#include "collective/operation/movements.h"
#include "collective/plan/usable_communicator.h"
#include "mpi/device/coded_buffer.h"

namespace tightwire::collective {
namespace {

template <class Plan>
using RootedSchedule = Schedule<> (*)(const Plan& plan, const mpi::Buffer& own, const Blocks& all,
                                      int root, Work& work);

struct Direction {
  policy::Operation operation;
  RootedSchedule<MovementPlan> schedule;
  RootedSchedule<MovementOnDevices> on_devices;
  bool to_root;
};
constexpr Direction to_root{policy::Operation::gather, &gather_schedule,
                            &gather_on_devices_schedule, true};
constexpr Direction from_root{policy::Operation::scatter, &scatter_schedule,
                              &scatter_on_devices_schedule, false};

// What a rank names in such a call: its own block, which at the root may be in place, and at the
// root alone the blocks of all.
class Rooted {
 public:
  Rooted(const mpi::Buffer& own, MPI_Comm comm, int root)
      : own_(own), place_(mpi::place_in(comm, root)), in_place_(place_.is_root && own.in_place()) {}

  [[nodiscard]] bool is_root() const { return place_.is_root; }
  [[nodiscard]] int ranks() const { return place_.size; }
  [[nodiscard]] const mpi::Participants& participants() const { return place_.participants; }

  // Of the own block; at a root that has it in place, its arguments mean nothing.
  [[nodiscard]] std::size_t own_bytes() const { return in_place_ ? 0 : own_.bytes(); }
  // Of one rank's block, where all are as large.
  [[nodiscard]] std::size_t block_bytes(const mpi::Buffer& block) const {
    return is_root() ? block.bytes() : own_.bytes();
  }
  // The block whose values this rank sends; of no count where it sends none.
  [[nodiscard]] mpi::Buffer sent(const Direction& direction, const mpi::Buffer& block) const {
    if (direction.to_root) return own_;
    return is_root() ? block : mpi::Buffer{};
  }

  // Those of all, or nothing where their arguments mean nothing.
  [[nodiscard]] Blocks blocks(const Blocks& of_all) const {
    return is_root() ? of_all.numbered(static_cast<std::size_t>(ranks())) : Blocks(mpi::Buffer{});
  }

  // What that is of a call that may be on devices.
  [[nodiscard]] MovementCall call_on_devices(const Direction& direction, std::size_t bytes,
                                             const Blocks& blocks) const {
    MovementCall call{direction.operation, bytes};
    if (is_root() == direction.to_root) return call;
    call.image = is_root() ? blocks.of(0).address : own_.address;
    if (!is_root()) call.sent = {own_};
    for (int rank = 0; is_root() && rank < ranks(); ++rank) call.sent.push_back(blocks.of(rank));
    return call;
  }

  // Whether MPI can be expected to take these arguments. `blocks`: whether those of the blocks are
  // good.
  [[nodiscard]] bool valid(bool blocks) const {
    return place_.valid && (in_place_ || own_.valid()) && (!is_root() || blocks);
  }

 private:
  const mpi::Buffer& own_;
  mpi::Place place_;
  bool in_place_;
};

int move_even(const Direction& direction, const Form& form, const mpi::Buffer& own,
              const mpi::Buffer& block, int root, MPI_Comm comm, const PassThrough& pass) {
  const policy::Operation operation = direction.operation;
  mpi::CallName name{form.function};
  return mpi::guarded(name, comm, [&] {
    name.bytes = own.in_place() ? 0 : own.bytes();
    const auto fetch = [&] {
      mpi::fetch_left(own);
      mpi::fetch_left(block);
    };
    const auto pass_small = [&] {
      fetch();
      return mpi::passed(operation, name, pass);
    };
    if (!own.in_place() && is_small(name.bytes)) return pass_small();
    const Rooted rooted(own, comm, root);
    name.bytes = rooted.block_bytes(block);
    // Of a root that is in place, too.
    if (is_small(name.bytes, form, comm)) return pass_small();
    const CalledOn on = form.on(rooted.participants());
    const bool valid = rooted.valid(block.valid());
    const Blocks blocks = rooted.blocks(Blocks(block));
    const auto call = [&] { return rooted.call_on_devices(direction, name.bytes, blocks); };
    const auto on_devices = [&](const MovementOnDevices& plan, Work& work) {
      return direction.on_devices(plan, own, blocks, root, work);
    };
    return carry_out_movement({operation, name, comm, pass}, valid, on, call, on_devices, [&] {
      const bool comes_where_sent = own.in_place() && direction.to_root;
      comes_where_sent ? mpi::fetch_left(block) : fetch_for_plan(block);
      fetch_for_plan(own);
      const MovementPlan plan =
          valid ? plan_movement(operation, name.bytes, rooted.sent(direction, block), on)
                : MovementPlan{};
      if (plan.passes_through()) fetch();
      return carry_out(form, plan, operation, name, comm, pass, direction.schedule, own, blocks,
                       root);
    });
  });
}

void note_arriving(const Direction& direction, const Rooted& rooted, const Blocks& blocks, int root,
                   UnevenDecision& decision) {
  if (rooted.is_root() != direction.to_root) return;
  if (!rooted.is_root()) return decision.note_arriving(root, rooted.own_bytes());
  for (int rank = 0; rank < rooted.ranks(); ++rank) {
    decision.note_arriving(rank, blocks.bytes(rank));
  }
}

int move_uneven(const Direction& direction, const Form& form, const mpi::Buffer& own,
                const Blocks& blocks, int root, MPI_Comm comm, const PassThrough& pass) {
  mpi::CallName name{form.function};
  return mpi::guarded(name, comm, [&] {
    const policy::Operation operation = direction.operation;
    if (passes_all(comm)) return mpi::passed(operation, name, pass, policy::Reason::same_host);
    const Rooted rooted(own, comm, root);
    name.bytes = rooted.own_bytes();
    const bool valid = rooted.valid(!rooted.is_root() || blocks.valid(rooted.ranks()));
    MovementPlan plan = plan_uneven_if(valid, operation, form.on(rooted.participants()));
    if (plan.counts_arriving()) note_arriving(direction, rooted, blocks, root, plan.uneven);
    return carry_out(form, plan, operation, name, comm, pass, direction.schedule, own,
                     rooted.blocks(blocks), root);
  });
}

}  // namespace

int gather(const Form& form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
           void* recvbuf, Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
           const PassThrough& pass) {
  return move_even(to_root, form, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype},
                   root, comm, pass);
}

int gatherv(const Form& form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
            void* recvbuf, Counts recvcounts, Counts displs, MPI_Datatype recvtype, int root,
            MPI_Comm comm, const PassThrough& pass) {
  return move_uneven(to_root, form, {sendbuf, sendcount, sendtype},
                     {recvbuf, recvtype, recvcounts, displs}, root, comm, pass);
}

int scatter(const Form& form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
            void* recvbuf, Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
            const PassThrough& pass) {
  return move_even(from_root, form, {recvbuf, recvcount, recvtype}, {sendbuf, sendcount, sendtype},
                   root, comm, pass);
}

int scatterv(const Form& form, const void* sendbuf, Counts sendcounts, Counts displs,
             MPI_Datatype sendtype, void* recvbuf, Count recvcount, MPI_Datatype recvtype, int root,
             MPI_Comm comm, const PassThrough& pass) {
  return move_uneven(from_root, form, {recvbuf, recvcount, recvtype},
                     {sendbuf, sendtype, sendcounts, displs}, root, comm, pass);
}

}  // namespace tightwire::collective
