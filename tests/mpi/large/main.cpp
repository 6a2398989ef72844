// Messages near and above 2 GiB, where sizes outgrow int. On two ranks or more.
//
//   large bcast|bcast-bytes|bcast-records|allreduce|gather|bcast-c
//   large send|send-noise|send-blocks|isend|sendrecv|probe|mprobe|persistent|send-c
//
// Prints "bytes N, wrong 0" from rank 0. Every value depends on its place, so that what is moved
// to a wrong one shows.
#include <mpi.h>

#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "large.h"

namespace large {

int rank = 0;
int ranks = 0;

int report(std::size_t bytes, std::size_t wrong) {
  std::uint64_t all = wrong;
  PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::printf("bytes %zu, wrong %lu\n", bytes, static_cast<unsigned long>(all));
  return all == 0 ? 0 : 1;
}

namespace {

template <class T, class Bcast>
int bcast(std::size_t count, Bcast&& call) {
  Values<T> values(count);
  if (rank == 0) {
    fill(values, 3);
  } else {
    std::memset(values.data(), 0xee, count * sizeof(T));
  }
  call(values.data());
  return report(count * sizeof(T), wrong_values(values, 0, count, 3));
}

int bcast_doubles() {
  constexpr int count = 280'000'000;
  return bcast<double>(count,
                       [](double* data) { MPI_Bcast(data, count, MPI_DOUBLE, 0, MPI_COMM_WORLD); });
}

int bcast_bytes() {
  return bcast<unsigned char>(
      INT_MAX, [](void* data) { MPI_Bcast(data, INT_MAX, MPI_BYTE, 0, MPI_COMM_WORLD); });
}

// A row of records with a gap each: packed, they are more than int can count.
int bcast_records() {
  constexpr int count = 190'000'000;
  struct Record {
    double value;
    std::int32_t number;
  };
  MPI_Datatype fields = MPI_DATATYPE_NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int lengths[] = {1, 1};
  const MPI_Aint places[] = {0, sizeof(double)};
  const MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT};
  MPI_Type_create_struct(2, lengths, places, types, &fields);
  MPI_Type_create_resized(fields, 0, sizeof(Record), &type);
  MPI_Type_commit(&type);
  Values<Record> values(count);
  for (std::size_t i = 0; i < values.count(); ++i) {
    values[i].value = rank == 0 ? value<double>(i, 3) : -1;
    values[i].number = rank == 0 ? value<std::int32_t>(i, 4) : -1;
  }
  MPI_Bcast(values.data(), count, type, 0, MPI_COMM_WORLD);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < values.count(); ++i) {
    if (values[i].value != value<double>(i, 3)) ++wrong;
    if (values[i].number != value<std::int32_t>(i, 4)) ++wrong;
  }
  MPI_Type_free(&fields);
  MPI_Type_free(&type);
  return report(std::size_t{count} * 12, wrong);
}

// Whole numbers, whose sums are exact in any order; within a bound of 0.25 they are still told
// apart.
int allreduce() {
  constexpr int count = 550'000'000;
  Values<float> values(count);
  fill(values, rank);
  MPI_Allreduce(MPI_IN_PLACE, values.data(), count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < values.count(); ++i) {
    float expected = 0;
    for (int of = 0; of < ranks; ++of) expected += value<float>(i, of);
    if (!(std::fabs(values[i] - expected) <= 0.25F)) ++wrong;
  }
  return report(std::size_t{count} * sizeof(float), wrong);
}

// Each block is below 2 GiB, all of them are not.
int gather() {
  constexpr int count = 150'000'000;
  Values<double> own(count);
  fill(own, rank);
  Values<double> all(rank == 0 ? std::size_t{count} * static_cast<std::size_t>(ranks) : 0);
  MPI_Gather(own.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  std::size_t wrong = 0;
  for (int of = 0; rank == 0 && of < ranks; ++of) {
    wrong += wrong_values(all, static_cast<std::size_t>(of) * count, count, of);
  }
  return report(std::size_t{count} * sizeof(double) * static_cast<std::size_t>(ranks), wrong);
}

// More elements than int can count.
int bcast_c() {
#if MPI_VERSION >= 4
  constexpr MPI_Count count = MPI_Count{INT_MAX} + 1000;
  return bcast<unsigned char>(
      count, [](void* data) { MPI_Bcast_c(data, count, MPI_BYTE, 0, MPI_COMM_WORLD); });
#else
  return report(0, 0);
#endif
}

struct Operation {
  const char* name;
  int (*run)();
};
constexpr Operation operations[] = {
    {"bcast", bcast_doubles}, {"bcast-bytes", bcast_bytes}, {"bcast-records", bcast_records},
    {"allreduce", allreduce}, {"gather", gather},           {"bcast-c", bcast_c},
    {"send", send},           {"send-noise", send_noise},   {"send-blocks", send_blocks},
    {"isend", isend},         {"sendrecv", sendrecv},       {"probe", probe},
    {"mprobe", mprobe},       {"persistent", persistent},   {"send-c", send_c}};

int run(const std::string& name) {
  for (const Operation& operation : operations) {
    if (name == operation.name) return operation.run();
  }
  return 2;
}

}  // namespace
}  // namespace large

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &large::rank);
  MPI_Comm_size(MPI_COMM_WORLD, &large::ranks);
  const int code = large::run(argc > 1 ? argv[1] : "");
  MPI_Finalize();
  return code;
}
