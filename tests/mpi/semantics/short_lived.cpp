// Communicators that are made, used once and freed: MPI 4.0, section 7.4.
#include <algorithm>
#include <cmath>

#include "performer.h"

namespace semantics {
namespace {

constexpr int made_in_a_step = 20;
constexpr int alive = 3;

MPI_Comm make(MPI_Comm parent, int i, int rank) {
  MPI_Comm made = MPI_COMM_NULL;
  if (i % 2 == 0) MPI_Comm_dup(parent, &made);
  if (i % 2 == 1) MPI_Comm_split(parent, 0, i % 4 == 1 ? rank : -rank, &made);
  return made;
}

// Everyone sends to the next one.
bool passes_around(MPI_Comm comm, int i, double bound) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const std::size_t count = i % 4 == 0 ? 2000 : 10;
  const std::vector<double> sent(count, i + rank);
  std::vector<double> received(count, -1);
  const auto n = static_cast<int>(count);
  const int before = (rank + size - 1) % size;
  MPI_Sendrecv(sent.data(), n, MPI_DOUBLE, (rank + 1) % size, 1, received.data(), n, MPI_DOUBLE,
               before, 1, comm, MPI_STATUS_IGNORE);
  return std::all_of(received.begin(), received.end(),
                     [&](double x) { return std::fabs(x - (i + before)) <= bound; });
}

}  // namespace

void Performer::short_lived(const Step& step) {
  MPI_Comm comms[alive];
  std::fill(comms, comms + alive, MPI_COMM_NULL);
  int right = 0;
  for (int i = 0; i < made_in_a_step; ++i) {
    MPI_Comm& comm = comms[i % alive];
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
    comm = make(comms_[step.comm].handle, i, rank_);
    if (passes_around(comm, i, judge_.bound)) ++right;
  }
  for (MPI_Comm& comm : comms) {
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }
  note("communicators " + std::to_string(right) +
       (right == made_in_a_step ? "" : " OF " + std::to_string(made_in_a_step)));
}

}  // namespace semantics
