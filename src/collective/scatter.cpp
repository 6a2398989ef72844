// Scatter and Scatterv: the root encodes each rank's block once and sends it there.
#include "collective/collective.h"
#include "collective/measured.h"
#include "collective/mover.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::scatter;

// `block_of(rank)`: a rank's block at the root.
void scatter_blocks(const UserBuffer& own, int root, Communicator& communicator,
                    const std::function<UserBuffer(int rank)>& block_of, Work& work) {
  if (communicator.rank != root) {
    move_in_steps(
        communicator, operation, 1,
        [&](int) {
          return Partners{MPI_PROC_NULL, {}, root, own};
        },
        work);
    return;
  }
  move_in_steps(
      communicator, operation, communicator.size - 1,
      [&](int step) {
        const int destination = (root + 1 + step) % communicator.size;
        return Partners{destination, block_of(destination), MPI_PROC_NULL, {}};
      },
      work);
  if (own.address != MPI_IN_PLACE) copy(block_of(root), own, communicator);
}

}  // namespace

int scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
            MPI_Datatype recvtype, int root, MPI_Comm comm) {
  CallName name{"MPI_Scatter", 0};
  return guarded(name, comm, [&] {
    const UserBuffer own{recvbuf, recvcount, recvtype};
    const UserBuffer all{const_cast<void*>(sendbuf), sendcount, sendtype};
    const Place place = place_in(comm, root);
    // At a root that scatters in place, the receive arguments mean nothing.
    name.bytes = place.is_root ? all.bytes() : own.bytes();
    Communicator* communicator =
        place.valid ? communicator_for(common_plan(operation, name.bytes), comm) : nullptr;
    if (communicator == nullptr) {
      return passed(operation, name, [&] {
        return PMPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
      });
    }
    return measured(operation, common_plan(operation, name.bytes), name, comm, [&](Work& work) {
      scatter_blocks(
          own, root, *communicator,
          [&](int rank) { return all.at(std::ptrdiff_t{rank} * sendcount, sendcount); }, work);
    });
  });
}

int scatterv(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
             void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  CallName name{"MPI_Scatterv", 0};
  return guarded(name, comm, [&] {
    const UserBuffer own{recvbuf, recvcount, recvtype};
    const UserBuffer all{const_cast<void*>(sendbuf), 0, sendtype};
    const Place place = place_in(comm, root);
    name.bytes = recvbuf == MPI_IN_PLACE ? 0 : own.bytes();
    // A rank knows no other rank's count: all take this way, and size decides message by message.
    Communicator* communicator = place.valid ? communicator_for_uneven(comm) : nullptr;
    if (communicator == nullptr) {
      return passed(operation, name, [&] {
        return PMPI_Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
                             root, comm);
      });
    }
    return measured(operation, common_plan(operation, name.bytes), name, comm, [&](Work& work) {
      scatter_blocks(
          own, root, *communicator,
          [&](int rank) { return all.at(displs[rank], sendcounts[rank]); }, work);
    });
  });
}

}  // namespace tightwire::collective
