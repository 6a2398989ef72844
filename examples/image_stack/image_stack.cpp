// Stacks noisy exposures of one picture: every rank adds up its own, MPI_Allreduce adds up the
// ranks', and every rank holds the sum. An ordinary MPI program; it knows nothing of Tightwire.
//
//   mpirun -n 4 image_stack EXPOSURES STACK.f32 REPORT.json REPEATS
//
// EXPOSURES is a folder with 0.f32, 1.f32, ...: raw float32 of one size each, dealt out to the
// ranks in turn. Rank 0 writes the sum, raw float32, and a report on the REPEATS calls of
// MPI_Allreduce.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using Picture = std::vector<float>;
namespace fs = std::filesystem;

[[noreturn]] void give_up(const std::string& message) {
  std::fprintf(stderr, "image_stack: %s\n", message.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

Picture read_picture(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  Picture picture(fs::file_size(file) / sizeof(float));
  in.read(reinterpret_cast<char*>(picture.data()),
          static_cast<std::streamsize>(picture.size() * sizeof(float)));
  if (!in) {
    give_up("cannot read " + file.string());
  }
  return picture;
}

int count_exposures(const fs::path& folder) {
  int count = 0;
  while (fs::exists(folder / (std::to_string(count) + ".f32"))) {
    ++count;
  }
  return count;
}

// Sum of the exposures rank, rank + size, rank + 2 size, ...
Picture own_sum(const fs::path& folder, int exposures, int rank, int size) {
  Picture sum = read_picture(folder / (std::to_string(rank) + ".f32"));
  for (int i = rank + size; i < exposures; i += size) {
    const Picture next = read_picture(folder / (std::to_string(i) + ".f32"));
    if (next.size() != sum.size()) {
      give_up("exposure " + std::to_string(i) + " is not as large as the others");
    }
    std::transform(sum.begin(), sum.end(), next.begin(), sum.begin(), std::plus<>());
  }
  return sum;
}

// Seconds of the slowest rank, on rank 0.
double timed_stack(const Picture& mine, Picture& stack) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  MPI_Allreduce(mine.data(), stack.data(), static_cast<int>(mine.size()), MPI_FLOAT, MPI_SUM,
                MPI_COMM_WORLD);
  const double mine_s = MPI_Wtime() - start;
  double slowest_s = 0;
  MPI_Reduce(&mine_s, &slowest_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  return slowest_s;
}

// FNV-1a over the bytes of the picture.
std::uint64_t fingerprint(const Picture& picture) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(picture.data());
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < picture.size() * sizeof(float); ++i) {
    hash = (hash ^ bytes[i]) * 0x100000001b3;
  }
  return hash;
}

bool same_on_all_ranks(const Picture& stack) {
  const std::uint64_t mine = fingerprint(stack);
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  MPI_Allreduce(&mine, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(&mine, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  return least == most;
}

void write_report(const char* file, const std::vector<double>& seconds, bool same) {
  std::ofstream out(file);
  out << "{\"identical_on_all_ranks\": " << (same ? "true" : "false") << ", \"seconds\": [";
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    out << (i == 0 ? "" : ", ") << seconds[i];
  }
  out << "]}\n";
  if (!out.flush()) {
    give_up(std::string("cannot write ") + file);
  }
}

void write_picture(const char* file, const Picture& picture) {
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(picture.data()),
            static_cast<std::streamsize>(picture.size() * sizeof(float)));
  if (!out.flush()) {
    give_up(std::string("cannot write ") + file);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 5 || std::atoi(argv[4]) < 1) {
    give_up("usage: image_stack EXPOSURES STACK.f32 REPORT.json REPEATS");
  }
  const fs::path folder = argv[1];
  const int exposures = count_exposures(folder);
  if (exposures < size) {
    give_up(folder.string() + " holds fewer exposures than there are ranks");
  }

  const Picture mine = own_sum(folder, exposures, rank, size);
  Picture stack(mine.size());
  std::vector<double> seconds(static_cast<std::size_t>(std::atoi(argv[4])));
  for (double& s : seconds) {
    s = timed_stack(mine, stack);
  }
  const bool same = same_on_all_ranks(stack);
  if (rank == 0) {
    write_picture(argv[2], stack);
    write_report(argv[3], seconds, same);
  }
  MPI_Finalize();
  return 0;
}
