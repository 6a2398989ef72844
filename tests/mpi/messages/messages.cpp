#include "messages.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace messages {
namespace {

constexpr unsigned char untouched = 0xA5;
constexpr std::size_t behind = 128;
int failure_count = 0;
int check_count = 0;

}  // namespace

std::vector<unsigned char> content(Kind kind, std::size_t bytes, int seed) {
  std::vector<unsigned char> message(bytes);
  auto state = static_cast<unsigned long long>(seed) * 0x9E3779B97F4A7C15ULL + 1;
  for (std::size_t at = 0; at < bytes; at += sizeof(double)) {
    const std::size_t step = at / 64;
    const double smooth = seed + 0.25 * static_cast<double>(step);
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const unsigned long long noise = state ^ (state >> 29U);
    std::memcpy(message.data() + at,
                kind == Kind::smooth ? static_cast<const void*>(&smooth) : &noise,
                std::min(sizeof(double), bytes - at));
  }
  return message;
}

void expect(bool holds, const std::string& what) {
  ++check_count;
  if (holds) return;
  if (++failure_count > 40) return;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::fprintf(stderr, "rank %d: wrong: %s\n", rank, what.c_str());
}

int failures() {
  return failure_count;
}

int checks() {
  return check_count;
}

Buffer::Buffer(std::size_t room) : room_(room), bytes_(room + behind, untouched) {}

void Buffer::expect_message(const std::vector<unsigned char>& message,
                            const std::string& what) const {
  expect(message.size() <= room_ && std::equal(message.begin(), message.end(), bytes_.begin()),
         what + ": bytes of the message");
  bool clean = true;
  for (std::size_t at = message.size(); at < bytes_.size(); ++at) {
    clean = clean && bytes_[at] == untouched;
  }
  expect(clean, what + ": bytes behind the message");
}

void expect_status(const MPI_Status& status, int source, int tag, std::size_t bytes,
                   const std::string& what) {
  int count = -1;
  int elements = -1;
  int cancelled = -1;
  MPI_Get_count(&status, MPI_BYTE, &count);
  MPI_Get_elements(&status, MPI_BYTE, &elements);
  MPI_Test_cancelled(&status, &cancelled);
  expect(status.MPI_SOURCE == source, what + ": source");
  expect(status.MPI_TAG == tag, what + ": tag");
  expect(count == static_cast<int>(bytes),
         what + ": count " + std::to_string(count) + ", not " + std::to_string(bytes));
  expect(elements == count && cancelled == 0, what + ": elements, cancelled");
}

}  // namespace messages
