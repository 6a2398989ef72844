// An operation of the program's (MPI 4.0, section 6.9.5) that communicates.
#include "performer.h"

namespace semantics {
namespace {

// What the operation does at its first call.
struct Operator {
  const Errands& errands;
  const Errand& errand;
  std::string text;
};

// An operation has no state of its own.
thread_local Operator* current_operator = nullptr;

void add(void* in, void* inout, int* count, MPI_Datatype* /*type*/) {
  if (current_operator->text.empty())
    current_operator->text = current_operator->errands.receive(current_operator->errand);
  const auto* const added = static_cast<const double*>(in);
  auto* const sum = static_cast<double*>(inout);
  for (int i = 0; i < *count; ++i) sum[i] += added[i];
}

}  // namespace

void Performer::reduce(const Step& step) {
  const std::size_t count = 1 + step.seed % 4000;
  const std::vector<double> own(count, rank_ + 1);
  std::vector<double> sum(count, -1);
  Operator state{errands_, step.errands.front(), ""};
  current_operator = &state;
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(&add, 1, &op);
  const int code = MPI_Allreduce(own.data(), sum.data(), static_cast<int>(count), MPI_DOUBLE, op,
                                 comms_[step.comm].handle);
  MPI_Op_free(&op);
  current_operator = nullptr;
  // Which ranks' operations are called is the MPI's own choice.
  if (state.text.empty()) state.text = errands_.receive(state.errand);
  note("reduce " + std::to_string(error_class(code)) + " " + sum_text(sum, judge_.bound) +
       " errand " + state.text);
}

}  // namespace semantics
