// Polls long lists of requests.
//
//   polls cost      prints "testall NS": what MPI_Testall of 1000 receives costs that do not come
//   polls orders    messages come one by one, in several orders, while lists are polled
//
// "orders" prints "received N, wrong N".
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr int large = 64 << 10;  // bytes

int rank_of_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

void cost() {
  constexpr std::size_t count = 1000;
  constexpr int polls = 500;
  const auto memory = std::make_unique<std::byte[]>(count * large);
  std::vector<MPI_Request> requests(count);
  for (std::size_t i = 0; i < count; ++i) {
    MPI_Irecv(memory.get() + i * large, large, MPI_BYTE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
              &requests[i]);
  }
  std::vector<double> samples;
  for (int sample = 0; sample < 5; ++sample) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < polls; ++i) {
      int done = 0;
      MPI_Testall(count, requests.data(), &done, MPI_STATUSES_IGNORE);
    }
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    samples.push_back(taken.count() / polls);
  }
  for (MPI_Request& request : requests) {
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  std::ranges::sort(samples);
  if (rank_of_world() == 0) std::printf("testall %.0f\n", samples[0]);
}

// Message i is of length(i) integers, all i: short ones and long ones, in one and in many chunks.
int length(int i) {
  constexpr int lengths[] = {2, 20000, 300000};
  return lengths[i % 3];
}

constexpr int messages = 24;
constexpr int go_on = 1000;  // a tag

// Rank 1 sends message `i` once rank 0, which polls meanwhile, has said so.
void send_when_asked(const std::vector<int>& order) {
  for (const int i : order) {
    MPI_Recv(nullptr, 0, MPI_BYTE, 0, go_on, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const std::vector<int> values(static_cast<std::size_t>(length(i)), i);
    MPI_Send(values.data(), length(i), MPI_INT, 1 - rank_of_world(), i, MPI_COMM_WORLD);
  }
}

class Receives {
 public:
  Receives() : values_(messages), requests_(messages) {
    for (int i = 0; i < messages; ++i) {
      auto& values = values_[static_cast<std::size_t>(i)];
      values.resize(static_cast<std::size_t>(length(i)), -1);
      MPI_Irecv(values.data(), length(i), MPI_INT, 1, i, MPI_COMM_WORLD,
                &requests_[static_cast<std::size_t>(i)]);
    }
  }

  // Some polls of all, which must not be complete; half of the list is polled by itself too.
  long poll_early() {
    long wrong = 0;
    for (int i = 0; i < 20; ++i) {
      wrong += test(0, messages) ? 1 : 0;
      if (i % 7 == 3) static_cast<void>(test(messages / 2, messages));
    }
    return wrong;
  }

  [[nodiscard]] bool test(int begin, int end) {
    int done = 0;
    MPI_Testall(end - begin, requests_.data() + begin, &done, MPI_STATUSES_IGNORE);
    return done != 0;
  }

  // One that is there, on its own.
  void complete(int i) {
    int done = 0;
    while (done == 0) {
      MPI_Test(&requests_[static_cast<std::size_t>(i)], &done, MPI_STATUS_IGNORE);
    }
  }

  [[nodiscard]] long wrong() const {
    long wrong = 0;
    for (int i = 0; i < messages; ++i) {
      const auto& values = values_[static_cast<std::size_t>(i)];
      wrong += std::count(values.begin(), values.end(), i) == length(i) ? 0 : 1;
    }
    return wrong;
  }

 private:
  std::vector<std::vector<int>> values_;
  std::vector<MPI_Request> requests_;
};

long receive_in(const std::vector<int>& order, bool one_alone) {
  Receives receives;
  long wrong = 0;
  for (const int i : order) {
    wrong += receives.poll_early();
    MPI_Send(nullptr, 0, MPI_BYTE, 1, go_on, MPI_COMM_WORLD);
    if (one_alone && i % 4 == 1) receives.complete(i);
  }
  while (!receives.test(0, messages)) {
  }
  return wrong + receives.wrong();
}

void orders() {
  long wrong = 0;
  long received = 0;
  std::vector<int> order(messages);
  for (int i = 0; i < messages; ++i) order[static_cast<std::size_t>(i)] = i;
  for (int round = 0; round < 3; ++round) {
    if (rank_of_world() == 0) wrong += receive_in(order, round != 1);
    if (rank_of_world() == 1) send_when_asked(order);
    received += messages;
    std::ranges::reverse(order);
    std::rotate(order.begin(), order.begin() + 7 * round, order.end());
  }
  if (rank_of_world() == 0) std::printf("received %ld, wrong %ld\n", received, wrong);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc > 1 && std::string(argv[1]) == "cost") {
    cost();
  } else {
    orders();
  }
  MPI_Finalize();
  return 0;
}
