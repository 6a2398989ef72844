#include "collective/entry/collective.h"
#include "collective/move/broadcast.h"
#include "collective/plan/measured.h"
#include "collective/plan/movement_plan.h"
#include "mpi/byte_view.h"
#include "policy/cost/tree.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::bcast;

void move(const mpi::ByteView& view, int root, mpi::Communicator& communicator, Work& work) {
  const std::size_t chunks =
      policy::chunk_count(runtime::current().settings, work.plan, view.bytes().size());
  const policy::Tree tree = policy::best_tree(communicator.rank, root, communicator.size, chunks);
  if (communicator.rank == root) {
    view.load();
    const SenderEncoding sender =
        sender_encoding(operation, view.type(), view.bytes(), communicator);
    work.largest_bound = sender.encoding.parameters.error_bound;
    work.plan = sender.plan;
    broadcast(communicator, tree, &sender.encoding, view.bytes(), chunks, work.health,
              work.traffic);
  } else {
    const codec::Id tried =
        broadcast(communicator, tree, nullptr, view.bytes(), chunks, work.health, work.traffic);
    work.plan = plan_seen(work.plan, tried);
    if (!work.health.failed()) view.store();
  }
}

// `pass` hands the call to MPI as it came; counts are int, or MPI 4's wider ones.
template <class Count, class Pass>
int any_bcast(void* buffer, Count count, MPI_Datatype datatype, int root, MPI_Comm comm,
              Pass&& pass) {
  const mpi::Buffer user{buffer, count, datatype};
  mpi::CallName name{"MPI_Bcast", 0};
  return mpi::guarded(name, comm, [&] {
    const mpi::Place place = mpi::place_in(comm, root);
    name.bytes = user.bytes();
    const policy::Plan plan = common_plan(operation, name.bytes, comm);
    const Decision decision =
        place.valid && user.valid()
            ? decide_movement(operation, name.bytes, place.is_root ? user : mpi::Buffer{}, comm)
            : Decision{};
    const ScopedTimer timer(decision);
    mpi::Communicator* communicator = decision.communicator;
    if (communicator == nullptr) return mpi::passed(operation, name, pass);
    return measured(operation, plan, name, comm, [&](Work& work) {
      move(mpi::ByteView(user, *communicator), root, *communicator, work);
    });
  });
}

}  // namespace

int bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return any_bcast(buffer, count, datatype, root, comm,
                   [&] { return PMPI_Bcast(buffer, count, datatype, root, comm); });
}

#if MPI_VERSION >= 4

int bcast(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return any_bcast(buffer, count, datatype, root, comm,
                   [&] { return PMPI_Bcast_c(buffer, count, datatype, root, comm); });
}

#endif

}  // namespace tightwire::collective
