// Programs with many communicators, each of which is used for large collectives.
//
//   communicators many COUNT    COUNT at once, or as many as MPI makes
//   communicators churn COUNT   COUNT, one after the other, for a message to each rank as well
//   communicators groups        of overlapping groups in several orders, freed in other orders
//   communicators threads       several threads, each making, using and freeing its own
//
// Prints "made N, wrong N" from rank 0.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t length = 4096;  // integers to each rank

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

long off(const std::vector<int>& got, std::size_t from, std::size_t to, int expected) {
  const auto begin = got.begin() + static_cast<std::ptrdiff_t>(from);
  const auto end = got.begin() + static_cast<std::ptrdiff_t>(to);
  return std::count_if(begin, end, [&](int value) { return value != expected; });
}

// All return how many values are wrong; `word` tells apart what belongs to different communicators.
long broadcast(MPI_Comm comm, int word) {
  const int root = word % size_of(comm);
  std::vector<int> values(length, rank_in(comm) == root ? word : -1);
  MPI_Bcast(values.data(), length, MPI_INT, root, comm);
  return off(values, 0, length, word);
}

long sum(MPI_Comm comm, int word) {
  const std::vector<int> own(length, word + rank_in(comm));
  std::vector<int> all(length, -1);
  MPI_Allreduce(own.data(), all.data(), length, MPI_INT, MPI_SUM, comm);
  const int ranks = size_of(comm);
  return off(all, 0, length, word * ranks + ranks * (ranks - 1) / 2);
}

long exchange(MPI_Comm comm, int word) {
  const auto ranks = static_cast<std::size_t>(size_of(comm));
  const std::vector<int> counts(ranks, length);
  std::vector<int> places(ranks);
  for (std::size_t i = 0; i < ranks; ++i) places[i] = static_cast<int>(i * length);
  const std::vector<int> own(ranks * length, word + rank_in(comm));
  std::vector<int> all(ranks * length, -1);
  MPI_Alltoallv(own.data(), counts.data(), places.data(), MPI_INT, all.data(), counts.data(),
                places.data(), MPI_INT, comm);
  long wrong = 0;
  for (std::size_t i = 0; i < ranks; ++i) {
    wrong += off(all, i * length, (i + 1) * length, word + static_cast<int>(i));
  }
  return wrong;
}

// To the next rank, from the one before.
long pass_on(MPI_Comm comm, int word) {
  const int ranks = size_of(comm);
  const int rank = rank_in(comm);
  const int before = (rank + ranks - 1) % ranks;
  const std::vector<int> own(length, word + rank);
  std::vector<int> got(length, -1);
  MPI_Sendrecv(own.data(), length, MPI_INT, (rank + 1) % ranks, 0, got.data(), length, MPI_INT,
               before, 0, comm, MPI_STATUS_IGNORE);
  return off(got, 0, length, word + before);
}

struct Result {
  long made = 0;
  long wrong = 0;
};

MPI_Comm duplicate(MPI_Comm comm) {
  MPI_Comm copy = MPI_COMM_NULL;
  return MPI_Comm_dup(comm, &copy) == MPI_SUCCESS ? copy : MPI_COMM_NULL;
}

Result many(long count) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  std::vector<MPI_Comm> comms;
  Result result;
  while (result.made < count) {
    const MPI_Comm comm = duplicate(MPI_COMM_WORLD);
    if (comm == MPI_COMM_NULL) break;
    result.wrong += broadcast(comm, static_cast<int>(++result.made));
    comms.push_back(comm);
  }
  for (std::size_t i = 0; i < comms.size(); i += 97) {
    result.wrong += sum(comms[i], static_cast<int>(i));
  }
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  return result;
}

Result churn(long count) {
  Result result;
  for (; result.made < count; ++result.made) {
    MPI_Comm comm = duplicate(MPI_COMM_WORLD);
    const int word = static_cast<int>(result.made);
    result.wrong += broadcast(comm, word) + pass_on(comm, word);
    MPI_Comm_free(&comm);
  }
  return result;
}

// Rank r of the world is in part r / width, or with `across` r % width, in ascending or descending
// order.
MPI_Comm part(int width, bool across, bool descending) {
  const int rank = rank_in(MPI_COMM_WORLD);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, across ? rank % width : rank / width, descending ? -rank : rank,
                 &comm);
  return comm;
}

Result groups() {
  Result result;
  std::vector<MPI_Comm> comms;
  for (int round = 0; round < 3; ++round) {
    for (const bool descending : {false, true}) {
      comms.push_back(duplicate(MPI_COMM_WORLD));
      for (const bool across : {false, true}) comms.push_back(part(2, across, descending));
      comms.push_back(part(3, false, descending));
    }
    for (std::size_t i = 0; i < comms.size(); ++i) {
      const int word = round * 1000 + static_cast<int>(i) * 10;
      result.wrong += broadcast(comms[i], word) + sum(comms[i], word) + exchange(comms[i], word);
    }
    result.made += static_cast<long>(comms.size());
    // Those that stay are others each time.
    for (std::size_t i = comms.size(); i-- > 0;) {
      if (i % 3 == static_cast<std::size_t>(round)) continue;
      MPI_Comm_free(&comms[i]);
      comms.erase(comms.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  return result;
}

// A thread's part: collectives of different threads meet in other orders on each rank.
Result of_thread(MPI_Comm parent, int thread) {
  Result result;
  for (int i = 0; i < 8; ++i, ++result.made) {
    MPI_Comm comm = duplicate(parent);
    const int word = thread * 1000 + i * 10;
    result.wrong += broadcast(comm, word) + sum(comm, word) + exchange(comm, word);
    if (i % 2 == 0) result.wrong += sum(parent, word);
    MPI_Comm_free(&comm);
  }
  return result;
}

Result threads() {
  constexpr int count = 3;
  std::vector<MPI_Comm> parents;
  for (int i = 0; i < count; ++i) parents.push_back(duplicate(MPI_COMM_WORLD));
  std::vector<Result> results(count);
  std::vector<std::thread> running;
  for (std::size_t i = 0; i < count; ++i) {
    running.emplace_back([&, i] { results[i] = of_thread(parents[i], static_cast<int>(i)); });
  }
  for (std::thread& each : running) each.join();
  Result all;
  for (const Result& each : results) {
    all.made += each.made;
    all.wrong += each.wrong;
  }
  for (MPI_Comm& parent : parents) MPI_Comm_free(&parent);
  return all;
}

Result perform(const std::string& what, long count) {
  if (what == "many") return many(count);
  if (what == "churn") return churn(count);
  return what == "groups" ? groups() : threads();
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  const std::string what = argc > 1 ? argv[1] : "";
  Result result = perform(what, argc > 2 ? std::atol(argv[2]) : 0);
  MPI_Allreduce(MPI_IN_PLACE, &result.wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) == 0) {
    std::printf("made %ld, wrong %ld\n", result.made, result.wrong);
  }
  MPI_Finalize();
  return result.wrong == 0 ? 0 : 1;
}
