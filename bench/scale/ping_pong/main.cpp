// bench-scale-ping-pong: what a simulated network is made of, between the first two ranks of a job.
// Rank 0 prints a CSV with a head: bytes of a message, seconds that it takes one way alone, and
// seconds for each of a stream of them that is long enough to empty a traffic shaper's bucket.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "calibrate/measure/timing.h"
#include "calibrate/measure/world.h"

namespace tightwire::scale {
namespace {

constexpr std::size_t stream_bytes = std::size_t{16} << 20;
constexpr std::size_t longest_stream = 4000;
constexpr int repetitions = 15;

void send(const std::vector<char>& message, int to) {
  MPI_Send(message.data(), static_cast<int>(message.size()), MPI_CHAR, to, 0, MPI_COMM_WORLD);
}

void receive(std::vector<char>& message, int from) {
  MPI_Recv(message.data(), static_cast<int>(message.size()), MPI_CHAR, from, 0, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
}

double one_way(std::vector<char>& message, int rank) {
  const double begin = MPI_Wtime();
  if (rank == 0) send(message, 1);
  receive(message, 1 - rank);
  if (rank == 1) send(message, 0);
  return (MPI_Wtime() - begin) / 2;
}

double streamed(std::vector<char>& message, int rank) {
  const std::size_t number = std::min(longest_stream, stream_bytes / message.size());
  std::vector<char> answer(1);
  const double begin = MPI_Wtime();
  for (std::size_t i = 0; i < number; ++i) rank == 0 ? send(message, 1) : receive(message, 0);
  rank == 0 ? receive(answer, 1) : send(answer, 0);
  return (MPI_Wtime() - begin) / static_cast<double>(number);
}

void measure(std::size_t bytes, int rank) {
  std::vector<char> message(bytes);
  std::vector<double> alone(repetitions);
  for (double& seconds : alone) seconds = one_way(message, rank);
  std::vector<double> in_streams(3);
  for (double& seconds : in_streams) seconds = streamed(message, rank);
  if (rank != 0) return;
  std::printf("%zu,%.9g,%.9g\n", bytes, calibrate::median(alone), calibrate::median(in_streams));
}

}  // namespace
}  // namespace tightwire::scale

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = tightwire::calibrate::world_rank();
  const bool enough = tightwire::calibrate::world_size() > 1;
  if (!enough) std::fprintf(stderr, "bench-scale-ping-pong: two ranks are needed\n");
  if (enough && rank == 0) std::printf("bytes,alone,streamed\n");
  for (std::size_t bytes = 1; enough && rank < 2 && bytes <= std::size_t{8} << 20; bytes *= 2) {
    tightwire::scale::measure(bytes, rank);
  }
  MPI_Finalize();
  return enough ? 0 : 1;
}
