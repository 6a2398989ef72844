// Wrong calls whose error handler communicates, or leaves by longjmp(): MPI 4.0, section 9.3.
#include <array>
#include <csetjmp>

#include "performer.h"

namespace semantics {
namespace {

// What the handler is to do, and did.
struct Handler {
  bool jumps = false;
  const Errands* errands = nullptr;
  Errand errand;
  std::jmp_buf place{};
  int calls = 0;
  int error_class = MPI_SUCCESS;
  std::string text = "NEVER CALLED";
};

thread_local Handler* current = nullptr;

void handle(MPI_Comm* /*comm*/, int* code, ...) {
  Handler& handler = *current;
  ++handler.calls;
  handler.error_class = error_class(*code);
  if (handler.jumps) std::longjmp(handler.place, 1);
  if (handler.calls == 1) handler.text = handler.errands->receive(handler.errand);
}

// The jump passes by these: no destructors.
constexpr int no_tag = -77;
constexpr int nobody = 1000;
constexpr int large = 3000;
std::array<double, large> memory;

using Mistake = void (*)(MPI_Comm);
constexpr Mistake mistakes[] = {
    [](MPI_Comm comm) { MPI_Send(memory.data(), 1, MPI_DOUBLE, nobody, 1, comm); },
    [](MPI_Comm comm) { MPI_Send(memory.data(), large, MPI_DOUBLE, 0, no_tag, comm); },
    [](MPI_Comm comm) { MPI_Ssend(memory.data(), large, MPI_DOUBLE, nobody, 1, comm); },
    [](MPI_Comm comm) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Isend(memory.data(), large, MPI_DOUBLE, 0, no_tag, comm, &request);
    },
    [](MPI_Comm comm) {
      MPI_Recv(memory.data(), large, MPI_DOUBLE, 0, no_tag, comm, MPI_STATUS_IGNORE);
    },
    [](MPI_Comm comm) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Irecv(memory.data(), large, MPI_DOUBLE, nobody, 1, comm, &request);
    },
    [](MPI_Comm comm) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Irecv(memory.data(), -1, MPI_DOUBLE, 0, 1, comm, &request);
    },
    [](MPI_Comm comm) {
      MPI_Sendrecv(memory.data(), large, MPI_DOUBLE, 0, no_tag, nullptr, 0, MPI_DOUBLE, 0, 1, comm,
                   MPI_STATUS_IGNORE);
    },
    [](MPI_Comm comm) { MPI_Probe(0, no_tag, comm, MPI_STATUS_IGNORE); },
    [](MPI_Comm comm) {
      int flag = 0;
      MPI_Iprobe(0, no_tag, comm, &flag, MPI_STATUS_IGNORE);
    },
    [](MPI_Comm comm) {
      int flag = 0;
      MPI_Message matched = MPI_MESSAGE_NULL;
      MPI_Improbe(0, no_tag, comm, &flag, &matched, MPI_STATUS_IGNORE);
    },
};

void make_mistake(std::size_t which, MPI_Comm comm) {
  if (setjmp(current->place) == 0) mistakes[which](comm);
}

void receive_too_long(const Errand& errand, MPI_Comm comm) {
  if (setjmp(current->place) != 0) return;
  MPI_Recv(memory.data(), 500, MPI_DOUBLE, errand.source, errand.tag, comm, MPI_STATUS_IGNORE);
}

}  // namespace

void Performer::err(const Step& step) {
  const bool too_long = step.errands.size() > 1;
  const MPI_Comm comm = too_long ? comms_.control() : comms_[step.comm].handle;
  const std::size_t which = step.seed % std::size(mistakes);
  MPI_Errhandler before = MPI_ERRHANDLER_NULL;
  MPI_Errhandler own = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(comm, &before);
  MPI_Comm_create_errhandler(&handle, &own);
  MPI_Comm_set_errhandler(comm, own);
  Handler handler;
  handler.jumps = static_cast<Handling>(step.way) == Handling::jumps;
  handler.errands = &errands_;
  handler.errand = step.errands.front();
  current = &handler;
  too_long ? receive_too_long(step.errands.back(), comm) : make_mistake(which, comm);
  current = nullptr;
  MPI_Comm_set_errhandler(comm, before);
  MPI_Errhandler_free(&own);
  MPI_Errhandler_free(&before);
  const bool left = handler.jumps || handler.calls == 0;
  if (left) handler.text = errands_.receive(handler.errand);
  std::string line = "mistake " + (too_long ? "too long" : std::to_string(which));
  // MPI_Recv may be a request in the library under test.
  if (!too_long || truncation_is_handled) {
    line += (handler.jumps ? " jumps" : " calls") +
            (" class " + std::to_string(handler.error_class)) + " handler " +
            std::to_string(handler.calls);
  }
  note(line + " errand " + handler.text);
}

}  // namespace semantics
