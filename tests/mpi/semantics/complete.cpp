// Every way of completing requests, alone and many at once, among null and inactive ones.
#include <sched.h>

#include <algorithm>

#include "performer.h"
#include "random.h"

namespace semantics {

void Performer::complete(const Step& step) {
  switch (static_cast<Completion>(step.way)) {
    case Completion::wait:
      for (const int i : step.operations) wait_for(i);
      return;
    case Completion::test:
      for (const int i : step.operations) test_for(i);
      return;
    case Completion::get_status:
      for (const int i : step.operations) status_then_wait(i);
      return;
    case Completion::waitall:
    case Completion::testall:
      return all_of(step.operations, static_cast<Completion>(step.way) == Completion::waitall);
    case Completion::waitany:
    case Completion::testany:
      return any_of(step.operations, step.must,
                    static_cast<Completion>(step.way) == Completion::waitany);
    case Completion::waitsome:
    case Completion::testsome:
      return some_of(step.operations, step.must,
                     static_cast<Completion>(step.way) == Completion::waitsome);
  }
}

void Performer::wait_for(int i) {
  if (!open(i)) return;
  MPI_Status status{};
  MPI_Status* const wanted =
      operation(i).ignores_status && operation(i).inbox == none ? MPI_STATUS_IGNORE : &status;
  const int code = MPI_Wait(&holder(i).request, wanted);
  finish(i, code, wanted);
}

void Performer::test_for(int i) {
  if (!open(i)) return;
  MPI_Status status{};
  int code = MPI_SUCCESS;
  for (int flag = 0; flag == 0; sched_yield()) {
    code = MPI_Test(&holder(i).request, &flag, &status);
    if (code != MPI_SUCCESS) break;
  }
  finish(i, code, &status);
}

void Performer::status_then_wait(int i) {
  if (!open(i)) return;
  MPI_Status seen{};
  for (int flag = 0; flag == 0; sched_yield()) {
    if (MPI_Request_get_status(holder(i).request, &flag, &seen) != MPI_SUCCESS) break;
  }
  MPI_Status status{};
  const int code = MPI_Wait(&holder(i).request, &status);
  if (operation(i).kind == Kind::receive && code == MPI_SUCCESS) {
    const MPI_Datatype type = holder(i).buffer->type();
    const auto text = [&](const MPI_Status& s) { return status_text(s, comm_of(i), rank_, type); };
    if (text(seen) != text(status)) {
      note("op " + std::to_string(i) + " SAW " + text(seen) + " BUT GOT " + text(status));
    }
  }
  finish(i, code, &status);
}

bool Performer::any_open(const std::vector<int>& operations, std::size_t must) {
  return std::any_of(operations.begin(), operations.begin() + static_cast<std::ptrdiff_t>(must),
                     [&](int i) { return open(i); });
}

// Open requests and some that MPI must pass over.
struct Performer::Requests {
  std::vector<MPI_Request> requests;
  std::vector<int> operations;  // none where there is no open one
  std::vector<MPI_Status> statuses;

  [[nodiscard]] int count() const { return static_cast<int>(requests.size()); }
  void add(MPI_Request request, int operation) {
    requests.push_back(request);
    operations.push_back(operation);
    statuses.emplace_back();
    statuses.back().MPI_ERROR = MPI_SUCCESS;
  }
};

void Performer::add_to(Requests& all, int i) {
  if (open(i)) return all.add(holder(i).request, i);
  // Inactive where persistent, else null. After an error Open MPI may leave neither.
  all.add(operation(i).truncated ? MPI_REQUEST_NULL : holder(i).request, none);
}

void Performer::all_of(const std::vector<int>& operations, bool waits) {
  // An error leaves some pending at times: once more, then.
  while (any_open(operations, operations.size())) {
    Requests all;
    all.add(MPI_REQUEST_NULL, none);
    bool ignores = true;
    for (const int i : operations) {
      add_to(all, i);
      const Operation& op = operation(i);
      ignores = ignores && op.ignores_status && op.inbox == none && !op.truncated;
    }
    MPI_Status* const statuses = ignores ? MPI_STATUSES_IGNORE : all.statuses.data();
    int code = MPI_SUCCESS;
    if (waits) {
      code = MPI_Waitall(all.count(), all.requests.data(), statuses);
    } else {
      for (int flag = 0; flag == 0 && code == MPI_SUCCESS; sched_yield()) {
        code = MPI_Testall(all.count(), all.requests.data(), &flag, statuses);
      }
    }
    const bool in_status = error_class(code) == MPI_ERR_IN_STATUS;
    if (code != MPI_SUCCESS && !in_status) note("WAITALL " + std::to_string(error_class(code)));
    for (std::size_t k = 0; k < all.requests.size(); ++k) {
      const int i = all.operations[k];
      if (i == none) continue;
      holder(i).request = all.requests[k];
      MPI_Status* const status = ignores ? MPI_STATUS_IGNORE : &all.statuses[k];
      const int own = in_status && !ignores ? all.statuses[k].MPI_ERROR : MPI_SUCCESS;
      if (error_class(own) == MPI_ERR_PENDING) continue;
      // One call of the handler stands for all of the array's errors.
      static_cast<void>(take_handler_calls());
      finish(i, own, status);
    }
  }
}

void Performer::any_of(const std::vector<int>& operations, std::size_t must, bool waits) {
  while (any_open(operations, must)) {
    Requests all;
    for (const int i : operations) add_to(all, i);
    all.add(MPI_REQUEST_NULL, none);
    int index = MPI_UNDEFINED;
    int flag = 1;
    MPI_Status status{};
    const int code = waits ? MPI_Waitany(all.count(), all.requests.data(), &index, &status)
                           : MPI_Testany(all.count(), all.requests.data(), &index, &flag, &status);
    if (flag == 0 && code == MPI_SUCCESS) {
      sched_yield();
      continue;
    }
    const int i = index == MPI_UNDEFINED ? none : all.operations[static_cast<std::size_t>(index)];
    if (i == none) {
      note("ANY GAVE A REQUEST THAT WAS NOT OPEN");
      return;
    }
    holder(i).request = all.requests[static_cast<std::size_t>(index)];
    finish(i, code, &status);
  }
}

void Performer::some_of(const std::vector<int>& operations, std::size_t must, bool waits) {
  while (any_open(operations, must)) {
    Requests all;
    for (const int i : operations) add_to(all, i);
    all.add(MPI_REQUEST_NULL, none);
    std::vector<int> indices(all.requests.size());
    int found = 0;
    const int code = waits ? MPI_Waitsome(all.count(), all.requests.data(), &found, indices.data(),
                                          all.statuses.data())
                           : MPI_Testsome(all.count(), all.requests.data(), &found, indices.data(),
                                          all.statuses.data());
    if (found == MPI_UNDEFINED) {
      note("SOME FOUND NO ACTIVE REQUEST");
      return;
    }
    if (found == 0) sched_yield();
    const bool in_status = error_class(code) == MPI_ERR_IN_STATUS;
    for (int k = 0; k < found; ++k) {
      const auto index = static_cast<std::size_t>(indices[static_cast<std::size_t>(k)]);
      const int i = all.operations[index];
      if (i == none) {
        note("SOME GAVE A REQUEST THAT WAS NOT OPEN");
        return;
      }
      MPI_Status& status = all.statuses[static_cast<std::size_t>(k)];
      holder(i).request = all.requests[index];
      static_cast<void>(take_handler_calls());
      finish(i, in_status ? status.MPI_ERROR : MPI_SUCCESS, &status);
    }
  }
}

}  // namespace semantics
