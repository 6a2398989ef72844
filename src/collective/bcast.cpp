#include "collective/broadcast.h"
#include "collective/collective.h"
#include "collective/measured.h"
#include "collective/movement.h"
#include "collective/view.h"
#include "policy/tree.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::bcast;

void move(const ByteView& view, int root, Communicator& communicator, Work& work) {
  const std::size_t chunks =
      policy::chunk_count(runtime::current().settings, work.plan, view.bytes().size());
  const policy::Tree tree = policy::best_tree(communicator.rank, root, communicator.size, chunks);
  if (communicator.rank == root) {
    view.load();
    const SenderCoding sender = sender_coding(operation, view.type(), view.bytes(), communicator);
    work.largest_bound = sender.coding.parameters.error_bound;
    work.plan = sender.plan;
    broadcast(communicator, tree, &sender.coding, view.bytes(), chunks, work.health, work.traffic);
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
  const UserBuffer user{buffer, count, datatype};
  CallName name{"MPI_Bcast", 0};
  return guarded(name, comm, [&] {
    const Place place = place_in(comm, root);
    name.bytes = user.bytes();
    const policy::Plan plan = common_plan(operation, name.bytes, comm);
    const Judgement judgement =
        place.valid && user.valid()
            ? judge_movement(operation, name.bytes, place.is_root ? user : UserBuffer{}, comm)
            : Judgement{};
    const Watch watch(judgement);
    Communicator* communicator = judgement.communicator;
    if (communicator == nullptr) return passed(operation, name, pass);
    return measured(operation, plan, name, comm, [&](Work& work) {
      move(ByteView(user, *communicator), root, *communicator, work);
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
