#include "checker.h"

#include <xxhash.h>

#include <cstdio>
#include <vector>

#include "text.h"

namespace check {
namespace {

constexpr std::uint64_t failures_to_print = 10;
thread_local std::string current_case;

}  // namespace

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

void Checker::begin_case(std::string name) {
  current_case = std::move(name);
  ++cases_;
}

void Checker::fail(const std::string& what) {
  if (failures_++ >= failures_to_print) {
    return;
  }
  const std::lock_guard lock(printing_);
  std::printf("FAIL rank %d, %s: %s\n", rank_in(MPI_COMM_WORLD), current_case.c_str(),
              what.c_str());
  std::fflush(stdout);
}

void Checker::expect_success(int code, const char* call) {
  if (code == MPI_SUCCESS) {
    return;
  }
  char message[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, message, &length);
  fail(text(call, " gave an error: ", message));
}

void Checker::expect_same_bits(MPI_Comm comm, std::span<const std::byte> bytes, int except_rank) {
  const std::uint64_t mine = XXH3_64bits(bytes.data(), bytes.size());
  std::vector<std::uint64_t> all(size_of(comm));
  MPI_Allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, comm);
  const int reporter = except_rank == 0 ? 1 : 0;
  if (rank_in(comm) != reporter) {
    return;
  }
  for (int rank = 0; rank < static_cast<int>(all.size()); ++rank) {
    if (rank != except_rank && all[rank] != mine) {
      fail(text("ranks ", reporter, " and ", rank, " hold different bits"));
      return;
    }
  }
}

int Checker::finish() {
  const std::uint64_t mine[3] = {cases_, failures_, inexact_};
  std::uint64_t sums[3] = {};
  MPI_Allreduce(mine, sums, 3, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) == 0) {
    std::printf("cases %llu, failures %llu, inexact values %llu\n",
                static_cast<unsigned long long>(mine[0]), static_cast<unsigned long long>(sums[1]),
                static_cast<unsigned long long>(sums[2]));
    std::fflush(stdout);
  }
  return sums[1] == 0 ? 0 : 1;
}

}  // namespace check
