// Through the control variables of MPI_T, so that one process can measure it beside MPI's default.
// MPICH reads them at every call, Open MPI when a communicator is made (and only where the variable
// coll_tuned_use_dynamic_rules is set from outside).
#include "comparison/best_algorithm.h"

#include <algorithm>
#include <chrono>

namespace tightwire::comparison {

struct BestAlgorithm::Trial {
  std::string name;
  int variable = -1;
  int value = 0;
};

namespace {

// The variables' numbers for algorithms. Left out are those that cannot be the fastest for large
// messages (all values through the root), repeat another one, or work for two ranks alone.
struct Algorithm {
  const char* variable;
  const char* name;
  int value;
  Operation operation;
};

#ifdef OPEN_MPI
constexpr Algorithm algorithms[] = {
    {"coll_tuned_allreduce_algorithm", "recursive_doubling", 3, Operation::allreduce},
    {"coll_tuned_allreduce_algorithm", "ring", 4, Operation::allreduce},
    {"coll_tuned_allreduce_algorithm", "segmented_ring", 5, Operation::allreduce},
    {"coll_tuned_allreduce_algorithm", "rabenseifner", 6, Operation::allreduce},
    {"coll_tuned_allgather_algorithm", "bruck", 2, Operation::allgather},
    {"coll_tuned_allgather_algorithm", "recursive_doubling", 3, Operation::allgather},
    {"coll_tuned_allgather_algorithm", "ring", 4, Operation::allgather},
    {"coll_tuned_allgather_algorithm", "neighbor", 5, Operation::allgather},
    {"coll_tuned_reduce_scatter_algorithm", "recursive_halving", 2, Operation::reduce_scatter},
    {"coll_tuned_reduce_scatter_algorithm", "ring", 3, Operation::reduce_scatter},
    {"coll_tuned_reduce_scatter_algorithm", "butterfly", 4, Operation::reduce_scatter},
    {"coll_tuned_bcast_algorithm", "chain", 2, Operation::bcast},
    {"coll_tuned_bcast_algorithm", "pipeline", 3, Operation::bcast},
    {"coll_tuned_bcast_algorithm", "split_binary_tree", 4, Operation::bcast},
    {"coll_tuned_bcast_algorithm", "binary_tree", 5, Operation::bcast},
    {"coll_tuned_bcast_algorithm", "binomial", 6, Operation::bcast},
    {"coll_tuned_bcast_algorithm", "scatter_allgather", 8, Operation::bcast},
    {"coll_tuned_bcast_algorithm", "scatter_allgather_ring", 9, Operation::bcast},
    {"coll_tuned_scatter_algorithm", "basic_linear", 1, Operation::scatter},
    {"coll_tuned_scatter_algorithm", "binomial", 2, Operation::scatter},
    {"coll_tuned_gather_algorithm", "basic_linear", 1, Operation::gather},
    {"coll_tuned_gather_algorithm", "binomial", 2, Operation::gather},
    {"coll_tuned_gather_algorithm", "linear_sync", 3, Operation::gather},
    {"coll_tuned_alltoall_algorithm", "linear", 1, Operation::alltoall},
    {"coll_tuned_alltoall_algorithm", "pairwise", 2, Operation::alltoall},
    {"coll_tuned_alltoall_algorithm", "linear_sync", 4, Operation::alltoall},
};
#else
constexpr Algorithm algorithms[] = {
    {"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "recursive_doubling", 3, Operation::allreduce},
    {"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "reduce_scatter_allgather", 4, Operation::allreduce},
    {"MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM", "brucks", 1, Operation::allgather},
    {"MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM", "recursive_doubling", 3, Operation::allgather},
    {"MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM", "ring", 4, Operation::allgather},
    {"MPIR_CVAR_REDUCE_SCATTER_INTRA_ALGORITHM", "pairwise", 3, Operation::reduce_scatter},
    {"MPIR_CVAR_REDUCE_SCATTER_INTRA_ALGORITHM", "recursive_doubling", 4,
     Operation::reduce_scatter},
    {"MPIR_CVAR_REDUCE_SCATTER_INTRA_ALGORITHM", "recursive_halving", 5, Operation::reduce_scatter},
    {"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "binomial", 1, Operation::bcast},
    {"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "scatter_recursive_doubling_allgather", 4,
     Operation::bcast},
    {"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "scatter_ring_allgather", 5, Operation::bcast},
    {"MPIR_CVAR_SCATTER_INTRA_ALGORITHM", "binomial", 1, Operation::scatter},
    {"MPIR_CVAR_GATHER_INTRA_ALGORITHM", "binomial", 1, Operation::gather},
    {"MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM", "pairwise", 3, Operation::alltoall},
    {"MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM", "scattered", 5, Operation::alltoall},
};
#endif

// -1 where this MPI has no such variable.
int index_of(const char* variable) {
  static const bool ready = [] {
    int provided = 0;
    return MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS;
  }();
  int index = -1;
  return ready && MPI_T_cvar_get_index(variable, &index) == MPI_SUCCESS ? index : -1;
}

void write(int variable, int value) {
  if (variable < 0) return;
  MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
  int count = 0;
  if (MPI_T_cvar_handle_alloc(variable, nullptr, &handle, &count) != MPI_SUCCESS) return;
  static_cast<void>(MPI_T_cvar_write(handle, &value));
  static_cast<void>(MPI_T_cvar_handle_free(&handle));
}

constexpr int mpi_chooses = 0;
// An algorithm has to be that much faster than MPI's choice in a trial of few runs to be taken.
constexpr double noise = 0.97;

}  // namespace

BestAlgorithm::~BestAlgorithm() {
  if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
}

void BestAlgorithm::choose(const std::optional<Trial>& trial) {
  detail_ = trial ? trial->name : "default";
  variable_ = trial ? trial->variable : -1;
  value_ = trial ? trial->value : mpi_chooses;
  if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  write(variable_, value_);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  write(variable_, mpi_chooses);
}

Breakdown BestAlgorithm::run(const Call& call) {
  Breakdown breakdown;
  write(variable_, value_);
  timed(breakdown.communicate,
        [&] { static_cast<void>(run_mpi(bench::plain_mpi(), call, comm_)); });
  write(variable_, mpi_chooses);
  return breakdown;
}

// The slowest rank's; nothing if MPI refused on any rank.
std::optional<double> BestAlgorithm::seconds_of(const Call& call, const Trial& trial) {
  choose(trial);
  constexpr double failed = 1e9;
  double best = failed;
  for (int i = 0; i < 3; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = 0;
    write(variable_, value_);
    const int code = timed(seconds, [&] { return run_mpi(bench::plain_mpi(), call, comm_); });
    write(variable_, mpi_chooses);
    double slowest = code == MPI_SUCCESS ? seconds : failed;
    bench::plain_mpi().allreduce(MPI_IN_PLACE, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    best = std::min(best, slowest);
    if (slowest > 0.5) break;  // long enough to be no accident
  }
  return best < failed ? std::optional(best) : std::nullopt;
}

void BestAlgorithm::rehearse(const Call& call) {
  const auto default_seconds = seconds_of(call, {"default", -1, mpi_chooses});
  double fastest = noise * default_seconds.value_or(1e9);
  std::optional<Trial> chosen;
  for (const Algorithm& algorithm : algorithms) {
    if (algorithm.operation != call.operation) continue;
    const Trial trial{algorithm.name, index_of(algorithm.variable), algorithm.value};
    if (trial.variable < 0) continue;
    const auto seconds = seconds_of(call, trial);
    if (!seconds || *seconds >= fastest) continue;
    fastest = *seconds;
    chosen = trial;
  }
  choose(chosen);
}

}  // namespace tightwire::comparison
