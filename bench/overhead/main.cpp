// bench-overhead THREADS REQUESTS SECONDS [CALLS]: what a call of 8 bytes costs between two ranks,
// plain and under Tightwire. REQUESTS are numbers, with commas between; CALLS, a part of the names
// of cases, chooses among them.
// Prints "row,CALLS,REQUESTS,THREADS,PLAIN_NS,TIGHTWIRE_NS" for each. "list" alone prints the
// names. THREADS is how many call MPI; "multiple": one, where others could.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "cases.h"
#include "measure.h"

namespace {

std::vector<int> numbers(const std::string& text) {
  std::vector<int> all;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) all.push_back(std::stoi(word));
  return all;
}

int list() {
  for (const overhead::Case& each : overhead::all_cases()) std::puts(each.calls.c_str());
  return 0;
}

struct Options {
  std::string threads;
  std::vector<int> requests;
  double seconds;
  std::string calls;

  [[nodiscard]] bool multiple() const { return threads != "1"; }
  [[nodiscard]] std::size_t thread_count() const {
    return threads == "multiple" ? 1 : std::stoul(threads);
  }
};

void measure_all(const Options& options, const std::vector<MPI_Comm>& comms, bool first) {
  for (const overhead::Case& each : overhead::all_cases()) {
    if (each.calls.find(options.calls) == std::string::npos) continue;
    for (const int requests : each.many ? options.requests : std::vector<int>{1}) {
      const overhead::Times times = overhead::measure(each, comms, requests, options.seconds);
      if (!first) continue;
      std::printf("row,%s,%d,%s,%.1f,%.1f\n", each.calls.c_str(), requests, options.threads.c_str(),
                  times.plain, times.tightwire);
      std::fflush(stdout);
    }
  }
}

// Both ranks of the world, each the other's neighbour.
MPI_Comm neighbours(int peer) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &peer, MPI_UNWEIGHTED, 1, &peer, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &comm);
  return comm;
}

int run(const Options& options) {
  int rank = 0;
  int ranks = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != 2) {
    std::fprintf(stderr, "bench-overhead: needs 2 ranks\n");
    return 2;
  }
  std::vector<MPI_Comm> comms(options.thread_count());
  for (MPI_Comm& comm : comms) comm = neighbours(1 - rank);
  // For all buffered sends that are under way at once.
  std::vector<char> buffer(std::size_t{16} << 20);
  MPI_Buffer_attach(buffer.data(), static_cast<int>(buffer.size()));
  measure_all(options, comms, rank == 0);
  void* detached = nullptr;
  int size = 0;
  MPI_Buffer_detach(static_cast<void*>(&detached), &size);
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "list") return list();
  if (argc < 4 || argc > 5) {
    std::fprintf(stderr, "usage: bench-overhead THREADS REQUESTS SECONDS [CALLS]\n");
    return 2;
  }
  const Options options{argv[1], numbers(argv[2]), std::atof(argv[3]), argc > 4 ? argv[4] : ""};
  const int wanted = options.multiple() ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
  int level = 0;
  MPI_Init_thread(&argc, &argv, wanted, &level);
  const int code = run(options);
  MPI_Finalize();
  return code;
}
