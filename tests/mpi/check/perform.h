// One call of a reduction on guarded buffers, checked for all that holds whatever the data:
// success, the send buffer untouched, nothing written beyond the receive buffer, nor into that of a
// rank that receives nothing.
#pragma once

#include <mpi.h>

#include <array>
#include <optional>
#include <span>
#include <string>

#include "checker.h"
#include "guarded_buffer.h"

namespace check {

enum class Form : std::uint8_t { allreduce, allreduce_in_place, reduce, reduce_in_place };
inline constexpr std::array all_forms{Form::allreduce, Form::allreduce_in_place, Form::reduce,
                                      Form::reduce_in_place};

struct Reduction {
  MPI_Comm comm = MPI_COMM_WORLD;
  Form form = Form::allreduce;
  int root = 0;
  MPI_Datatype type = MPI_BYTE;
  MPI_Op op = MPI_SUM;
  int count = 0;

  [[nodiscard]] bool to_all() const {
    return form == Form::allreduce || form == Form::allreduce_in_place;
  }
  [[nodiscard]] std::string name() const;  // "reduce in place, root 2, 3 ranks, 1000 MPI_FLOAT"
};

// The result, on ranks that receive one.
[[nodiscard]] std::optional<GuardedBuffer> perform(Checker& checker, const Reduction& reduction,
                                                   std::span<const std::byte> own);

// MPICH before 4.1 crashes when a root other than 0 reduces in place.
[[nodiscard]] int usable_root(Form form, int root);

[[nodiscard]] std::string name_of(MPI_Datatype type);
[[nodiscard]] std::string_view name_of_operation(MPI_Op op);

}  // namespace check
