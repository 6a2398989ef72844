#include "collective/failure.h"

#include <array>
#include <cstdio>

#include "runtime/log.h"

namespace tightwire::collective {
namespace {

// One MPI error code for each Problem, with its own text for MPI_Error_string.
int code_of(wire::Problem problem) {
  static const auto codes = [] {
    std::array<int, wire::problem_count> made{};
    int error_class = MPI_ERR_OTHER;
    PMPI_Add_error_class(&error_class);
    PMPI_Add_error_string(error_class, "tightwire: a compressed message could not be used");
    for (std::size_t i = 0; i < made.size(); ++i) {
      PMPI_Add_error_code(error_class, &made[i]);
      const std::string text = "tightwire: " + std::string(describe(static_cast<wire::Problem>(i)));
      PMPI_Add_error_string(made[i], text.c_str());
    }
    return made;
  }();
  return codes[static_cast<std::size_t>(problem)];
}

std::string name_of(MPI_Comm comm) {
  std::array<char, MPI_MAX_OBJECT_NAME> name{};
  int length = 0;
  PMPI_Comm_get_name(comm, name.data(), &length);
  return length > 0 ? std::string(name.data()) : "an unnamed communicator";
}

std::string describe_failure(const Failure& failure) {
  if (failure.problem == wire::Problem::peer_failed) {
    return "rank " + std::to_string(failure.origin.rank) +
           " could not go on: " + std::string(describe(failure.origin.problem));
  }
  return "frame " + std::to_string(wire::place_in_call(failure.sequence)) + " from rank " +
         std::to_string(failure.sender) + ": " + std::string(describe(failure.problem));
}

bool errors_are_fatal(MPI_Comm comm) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS) return false;
  const bool fatal = handler == MPI_ERRORS_ARE_FATAL;
  PMPI_Errhandler_free(&handler);
  return fatal;
}

int report(int code, const std::string& what, const std::string& call, MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  const std::string text = call + " on " + name_of(comm) + " (rank " + std::to_string(rank) +
                           " there): " + what + "; the receive buffer holds no valid data";
  errors_are_fatal(comm) ? runtime::log_last_words(text) : runtime::log(text);
  PMPI_Comm_call_errhandler(comm, code);
  return code;
}

}  // namespace

void check(int code) {
  if (code != MPI_SUCCESS) throw MpiError{code};
}

bool Health::note(const wire::Unpacked& result, int sender, std::uint32_t sequence) {
  if (!result.problem) return true;
  note({*result.problem, sender, sequence, result.origin});
  return false;
}

void Health::note(const Failure& failure) {
  if (!first_) first_ = failure;
}

wire::Origin Health::origin(int own_rank) const {
  if (first_->problem == wire::Problem::peer_failed) return first_->origin;
  return {static_cast<std::uint32_t>(own_rank), first_->problem};
}

int raise(const Failure& failure, const std::string& call, MPI_Comm comm) {
  return report(code_of(failure.problem), describe_failure(failure), call, comm);
}

int raise(const MpiError& error, const std::string& call, MPI_Comm comm) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  PMPI_Error_string(error.code, text.data(), &length);
  return report(error.code, text.data(), call, comm);
}

int end_without_memory(const std::string& call, MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  runtime::log_last_words(call + " on " + name_of(comm) + " (rank " + std::to_string(rank) +
                          " there): no memory for this rank's part, which the others wait for; the "
                          "job ends. TIGHTWIRE_MODE=raw needs none");
  return PMPI_Abort(comm, MPI_ERR_NO_MEM);
}

}  // namespace tightwire::collective
