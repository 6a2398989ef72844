#include "p2p/functions.h"

#include "collectives/plain_mpi.h"

namespace tightwire::p2p_bench {
namespace {

template <class Function>
void find(const char* name, Function& function) {
  function = reinterpret_cast<Function>(bench::plain_function(name));
}

}  // namespace

const Functions& called_by_programs() {
  static const Functions functions{&MPI_Send, &MPI_Recv, &MPI_Isend, &MPI_Irecv, &MPI_Waitall};
  return functions;
}

const Functions& plain_mpi() {
  static const Functions functions = [] {
    Functions found;
    find("PMPI_Send", found.send);
    find("PMPI_Recv", found.recv);
    find("PMPI_Isend", found.isend);
    find("PMPI_Irecv", found.irecv);
    find("PMPI_Waitall", found.waitall);
    return found;
  }();
  return functions;
}

}  // namespace tightwire::p2p_bench
