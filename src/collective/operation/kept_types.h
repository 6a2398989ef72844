// Datatypes and arrays of buffers that are still needed when the program may have freed them.
#pragma once

#include <mpi.h>

#include <deque>

#include "collective/plan/blocks.h"
#include "mpi/buffer.h"

namespace tightwire::collective {

class KeptTypes {
 public:
  KeptTypes() = default;
  ~KeptTypes();
  KeptTypes(const KeptTypes&) = delete;
  KeptTypes& operator=(const KeptTypes&) = delete;

  // Puts a type that is kept here in the place of the program's, and copies in the place of its
  // arrays: Fortran's bindings have made them for the call alone. Of a buffer in place the type
  // means nothing. Throw MpiError.
  void keep(mpi::Buffer& buffer) {
    if (!buffer.in_place()) keep_type(buffer.datatype);
  }
  void keep(Blocks& blocks) {
    if (blocks.in_place()) return;
    blocks.keep_arrays();
    for (MPI_Datatype& each : blocks.types()) keep_type(each);
  }
  // What has none.
  template <class Other>
  void keep(Other& /*other*/) {}

 private:
  void keep_type(MPI_Datatype& datatype);

  std::deque<MPI_Datatype> kept_;
};

}  // namespace tightwire::collective
