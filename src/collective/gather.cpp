// Gather and Gatherv: every rank's block goes to the root, which expands one rank's while the next
// one's arrives.
#include "collective/collective.h"
#include "collective/measured.h"
#include "collective/mover.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::gather;

// `block_of(rank)`: where a rank's block belongs at the root.
void gather_blocks(const UserBuffer& own, int root, Communicator& communicator,
                   const std::function<UserBuffer(int rank)>& block_of, Work& work) {
  if (communicator.rank != root) {
    move_in_steps(
        communicator, operation, 1,
        [&](int) {
          return Partners{root, own, MPI_PROC_NULL, {}};
        },
        work);
    return;
  }
  move_in_steps(
      communicator, operation, communicator.size - 1,
      [&](int step) {
        const int source = (root + 1 + step) % communicator.size;
        return Partners{MPI_PROC_NULL, {}, source, block_of(source)};
      },
      work);
  if (own.address != MPI_IN_PLACE) copy(own, block_of(root), communicator);
}

}  // namespace

int gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
           MPI_Datatype recvtype, int root, MPI_Comm comm) {
  CallName name{"MPI_Gather", 0};
  return guarded(name, comm, [&] {
    const UserBuffer own{const_cast<void*>(sendbuf), sendcount, sendtype};
    const UserBuffer all{recvbuf, recvcount, recvtype};
    const Place place = place_in(comm, root);
    // At a root that gathers in place, the send arguments mean nothing.
    name.bytes = place.is_root ? all.bytes() : own.bytes();
    Communicator* communicator =
        place.valid ? communicator_for(common_plan(operation, name.bytes), comm) : nullptr;
    if (communicator == nullptr) {
      return passed(operation, name, [&] {
        return PMPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
      });
    }
    return measured(operation, common_plan(operation, name.bytes), name, comm, [&](Work& work) {
      gather_blocks(
          own, root, *communicator,
          [&](int rank) { return all.at(std::ptrdiff_t{rank} * recvcount, recvcount); }, work);
    });
  });
}

int gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
            const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
            MPI_Comm comm) {
  CallName name{"MPI_Gatherv", 0};
  return guarded(name, comm, [&] {
    const UserBuffer own{const_cast<void*>(sendbuf), sendcount, sendtype};
    const UserBuffer all{recvbuf, 0, recvtype};
    const Place place = place_in(comm, root);
    name.bytes = sendbuf == MPI_IN_PLACE ? 0 : own.bytes();
    // A rank knows no other rank's count: all take this way, and size decides message by message.
    Communicator* communicator = place.valid ? communicator_for_uneven(comm) : nullptr;
    if (communicator == nullptr) {
      return passed(operation, name, [&] {
        return PMPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                            root, comm);
      });
    }
    return measured(operation, common_plan(operation, name.bytes), name, comm, [&](Work& work) {
      gather_blocks(
          own, root, *communicator,
          [&](int rank) { return all.at(displs[rank], recvcounts[rank]); }, work);
    });
  });
}

}  // namespace tightwire::collective
