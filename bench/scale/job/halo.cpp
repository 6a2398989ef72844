#include "scale/job/halo.h"

#include <mpi.h>

#include <algorithm>
#include <cmath>

#include "p2p/entry/p2p.h"

namespace tightwire::scale {
namespace {

constexpr int dimensions = 3;

// Of the same dimension; what leaves by the one comes in by the other.
constexpr int opposite(int face) {
  return face ^ 1;
}

// The last dimension's neighbours are the next ranks.
std::array<int, Halo::faces> neighbours_of(int rank, int ranks) {
  std::array<int, dimensions> sizes{};
  PMPI_Dims_create(ranks, dimensions, sizes.data());
  std::array<int, Halo::faces> neighbours{};
  int stride = 1;
  for (int dimension = dimensions - 1; dimension >= 0; --dimension) {
    const int size = sizes[static_cast<std::size_t>(dimension)];
    const int place = rank / stride % size;
    const std::size_t at = 2 * static_cast<std::size_t>(dimension);
    neighbours[at] = rank + ((place + size - 1) % size - place) * stride;
    neighbours[at + 1] = rank + ((place + 1) % size - place) * stride;
    stride *= size;
  }
  return neighbours;
}

}  // namespace

struct Halo::Calls {
  int (*irecv)(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
  int (*isend)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
  int (*waitall)(int, MPI_Request[], MPI_Status[]);
};

Halo::Halo(const SharedField& field, std::size_t count, int rank, int ranks,
           std::span<float> received)
    : field_(field),
      count_(count),
      rank_(rank),
      neighbours_(neighbours_of(rank, ranks)),
      received_(received) {}

std::span<const float> Halo::face_of(int rank, int face) const {
  return field_.of(rank * faces + face, count_);
}

std::span<float> Halo::received(int face) const {
  return received_.subspan(static_cast<std::size_t>(face) * count_, count_);
}

int Halo::run_plain() {
  return run({&PMPI_Irecv, &PMPI_Isend, &PMPI_Waitall});
}

int Halo::run_tightwire() {
  return run({&p2p::irecv, &p2p::isend, &p2p::waitall});
}

// A message's tag is the face that it is for its sender. Receives are in the order in which the
// neighbours send.
int Halo::run(const Calls& calls) {
  const int count = static_cast<int>(count_);
  std::array<MPI_Request, std::size_t{2} * faces> requests{};
  auto next = requests.begin();
  for (int face = 0; face < faces; ++face) {
    const int from = neighbours_[static_cast<std::size_t>(opposite(face))];
    const int code =
        calls.irecv(received(face).data(), count, MPI_FLOAT, from, face, MPI_COMM_WORLD, &*next++);
    if (code != MPI_SUCCESS) return code;
  }
  for (int face = 0; face < faces; ++face) {
    const int to = neighbours_[static_cast<std::size_t>(face)];
    const int code = calls.isend(face_of(rank_, face).data(), count, MPI_FLOAT, to, face,
                                 MPI_COMM_WORLD, &*next++);
    if (code != MPI_SUCCESS) return code;
  }
  return calls.waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

Errors Halo::errors() const {
  Errors errors;
  for (int face = 0; face < faces; ++face) {
    const int from = neighbours_[static_cast<std::size_t>(opposite(face))];
    const std::span<const float> right = face_of(from, face);
    const std::span<const float> here = received(face);
    for (std::size_t i = 0; i < count_; ++i) {
      errors.add(static_cast<double>(here[i]), static_cast<double>(right[i]));
    }
  }
  return errors;
}

}  // namespace tightwire::scale
