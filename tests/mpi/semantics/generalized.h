// A generalised request (MPI 4.0, section 13.2) whose functions communicate.
#pragma once

#include <mpi.h>

#include <string>

#include "errands.h"

namespace semantics {

class Generalized {
 public:
  // The errand is received where MPI first asks for the request's status.
  Generalized(const Errands& errands, const Errand& errand) : errands_(errands), errand_(errand) {}
  Generalized(const Generalized&) = delete;
  Generalized& operator=(const Generalized&) = delete;

  [[nodiscard]] MPI_Request start();
  // Once it is complete. `status` may be MPI's null.
  [[nodiscard]] std::string outcome(const MPI_Status* status) const;

 private:
  static int query(void* self, MPI_Status* status);
  static int free(void* self);
  static int cancel(void* self, int complete);

  const Errands& errands_;
  Errand errand_;
  std::string in_query_ = "NEVER CALLED";
  std::string in_free_ = "NEVER CALLED";
  int queries_ = 0;
  int frees_ = 0;
};

}  // namespace semantics
