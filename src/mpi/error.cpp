#include "mpi/error.h"

#include <array>
#include <cstdio>
#include <cstdlib>

#include "os/float_traps.h"
#include "runtime/log.h"

namespace tightwire::mpi {
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

// Text in no memory but its own; what is too long for it is cut.
using Text = std::array<char, 512>;

template <class... Arguments>
Text format(const char* form, const Arguments&... arguments) {
  Text text{};
  if (std::snprintf(text.data(), text.size(), form, arguments...) < 0) text.front() = '\0';
  return text;
}

Text text_of(const CallName& call) {
  Text size{};
  Text peer{};
  if (call.bytes > 0) size = format(" of %zu bytes", call.bytes);
  if (call.direction != nullptr) {
    peer = call.peer == MPI_ANY_SOURCE ? format(" %s any rank", call.direction)
                                       : format(" %s rank %d", call.direction, call.peer);
  }
  return format("%s%s%s", call.function, size.data(), peer.data());
}

// The call and where it takes place: "MPI_Bcast of 8 bytes on MPI_COMM_WORLD (rank 2 there)".
Text place_of(const CallName& call, MPI_Comm comm) {
  std::array<char, MPI_MAX_OBJECT_NAME> name{};
  int length = 0;
  int rank = 0;
  PMPI_Comm_get_name(comm, name.data(), &length);
  PMPI_Comm_rank(comm, &rank);
  return format("%s on %s (rank %d there)", text_of(call).data(),
                length > 0 ? name.data() : "an unnamed communicator", rank);
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

int report(int code, const std::string& what, const CallName& call, MPI_Comm comm) {
  const std::string text = place_of(call, comm).data() + (": " + what);
  errors_are_fatal(comm) ? runtime::log_last_words(text) : runtime::log(text);
  call_error_handler(comm, code);
  return code;
}

}  // namespace

void call_error_handler(MPI_Comm comm, int code) {
  const os::FloatTrapsOff::Lifted floats;
  PMPI_Comm_call_errhandler(comm, code);
}

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

std::string CallName::text() const {
  return text_of(*this).data();
}

int raise(const Failure& failure, const CallName& call, MPI_Comm comm) {
  return report(code_of(failure.problem),
                describe_failure(failure) + "; the receive buffer holds no valid data", call, comm);
}

int raise(const MpiError& error, const CallName& call, MPI_Comm comm) {
  if (!error.what.empty()) return report(error.code, error.what, call, comm);
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  PMPI_Error_string(error.code, text.data(), &length);
  return report(error.code, text.data(), call, comm);
}

int raise(const MpiError& error, const std::string& what, const CallName& call, MPI_Comm comm) {
  return report(error.code, what, call, comm);
}

void end_without_memory(const CallName& call, MPI_Comm comm) noexcept {
  runtime::log_last_words(format("%s: no memory for this rank's part; the job ends. "
                                 "TIGHTWIRE_MODE=raw needs none",
                                 place_of(call, comm).data())
                              .data());
  PMPI_Abort(comm, MPI_ERR_NO_MEM);
  std::_Exit(1);
}

}  // namespace tightwire::mpi
