// Sizes of messages that frames have, too, or that stand for others on the wire: as long as any
// (MPI 4.0, 3.8.1), and a synchronous send of them is complete when a receive has started (3.4).
#include <array>
#include <cstdint>
#include <utility>

#include "matching.h"

namespace matching {
namespace {

enum Tag : int { synchronous = 2, standard = 3, word = 9 };

// 3 and 5 bytes below multiples of 64 and of more, their neighbours, and some of them again: what a
// length stood for is no other's.
constexpr std::array sizes = {4157, 8189, 8187,  8125,  8123,  8189, 8187,   8188,
                              8186, 4157, 16381, 16379, 16253, 8189, 130813, 130811};
// Where that is not long enough to have another length, it is received by a probe: it may be.
constexpr int as_short_as_can_be = 4155;

using Bytes = std::vector<unsigned char>;

// Shrinks, or does not.
Bytes message(int bytes, int seed) {
  Bytes values(static_cast<std::size_t>(bytes));
  std::uint32_t state = static_cast<std::uint32_t>(seed);
  for (unsigned char& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<unsigned char>(seed % 2 == 0 ? state >> 24 : 7);
  }
  return values;
}

// So that no message comes between two steps of the other.
void say(int to) {
  MPI_Send(nullptr, 0, MPI_BYTE, to, Tag::word, MPI_COMM_WORLD);
}
void hear(int from) {
  MPI_Recv(nullptr, 0, MPI_BYTE, from, Tag::word, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void send(int bytes, int seed) {
  const Bytes first = message(bytes, seed);
  const Bytes second = message(bytes, seed + 1);
  std::array<MPI_Request, 3> requests{};
  MPI_Issend(first.data(), bytes, MPI_BYTE, 0, Tag::synchronous, MPI_COMM_WORLD, &requests[0]);
  MPI_Ssend_init(second.data(), bytes, MPI_BYTE, 0, Tag::synchronous, MPI_COMM_WORLD, &requests[1]);
  MPI_Start(&requests[1]);
  MPI_Isend(first.data(), bytes, MPI_BYTE, 0, Tag::standard, MPI_COMM_WORLD, &requests[2]);
  hear(0);
  for (int i = 0; i < 1000; ++i) {
    for (int sent = 0; sent < 2; ++sent) {
      int done = 0;
      MPI_Request_get_status(requests[static_cast<std::size_t>(sent)], &done, MPI_STATUS_IGNORE);
      expect(done == 0, std::to_string(bytes) + " bytes: complete, and nobody received");
    }
  }
  say(0);
  MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE);
  MPI_Request_free(&requests[1]);
}

void expect_message(const MPI_Status& status, int bytes, int tag, const std::string& what) {
  const std::string size = std::to_string(bytes) + " bytes: " + what;
  expect(status.MPI_TAG == tag, size + " has tag " + std::to_string(status.MPI_TAG));
  expect(static_cast<int>(bytes_in(status)) == bytes,
         size + " has " + std::to_string(bytes_in(status)));
}

void expect_values(const Bytes& values, int bytes, int seed, const std::string& what) {
  expect(Bytes(values.begin(), values.begin() + bytes) == message(bytes, seed),
         std::to_string(bytes) + " bytes: what " + what + " brings");
}

// One is received, one matched, one received with a buffer that it just fills.
void receive_all(int bytes, int seed) {
  MPI_Status status{};
  MPI_Probe(1, Tag::standard, MPI_COMM_WORLD, &status);
  expect_message(status, bytes, Tag::standard, "a probe");
  MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  expect_message(status, bytes, Tag::synchronous, "a probe of any");
  MPI_Message matched = MPI_MESSAGE_NULL;
  MPI_Mprobe(1, Tag::synchronous, MPI_COMM_WORLD, &matched, &status);
  expect_message(status, bytes, Tag::synchronous, "a matched probe");
  MPI_Probe(1, Tag::synchronous, MPI_COMM_WORLD, &status);
  expect_message(status, bytes, Tag::synchronous, "a probe of the second");
  say(1);
  hear(1);
  Bytes values(static_cast<std::size_t>(bytes));
  MPI_Mrecv(values.data(), bytes, MPI_BYTE, &matched, &status);
  expect_message(status, bytes, Tag::synchronous, "MPI_Mrecv");
  expect_values(values, bytes, seed, "MPI_Mrecv");
  MPI_Recv(values.data(), bytes, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  expect_message(status, bytes, Tag::synchronous, "MPI_Recv");
  expect_values(values, bytes, seed + 1, "MPI_Recv");
  values.resize(2 * values.size());
  MPI_Recv(values.data(), 2 * bytes, MPI_BYTE, 1, Tag::standard, MPI_COMM_WORLD, &status);
  expect_message(status, bytes, Tag::standard, "the last MPI_Recv");
  expect_values(values, bytes, seed, "the last MPI_Recv");
}

// Nobody probes, and every second byte of the buffer is the program's own.
void receive_unseen(int bytes, int seed) {
  MPI_Datatype gaps = MPI_DATATYPE_NULL;
  MPI_Type_vector(bytes, 1, 2, MPI_BYTE, &gaps);
  MPI_Type_commit(&gaps);
  for (const auto& [tag, added] : {std::pair{Tag::synchronous, 0}, std::pair{Tag::synchronous, 1},
                                   std::pair{Tag::standard, 0}}) {
    Bytes values(2 * static_cast<std::size_t>(bytes), 99);
    MPI_Status status{};
    if (tag == Tag::synchronous && added == 0) {
      say(1);
      hear(1);
    }
    MPI_Recv(values.data(), 1, gaps, 1, tag, MPI_COMM_WORLD, &status);
    expect_message(status, bytes, tag, "a receive with gaps");
    const Bytes sent = message(bytes, seed + added);
    bool same = true;
    for (std::size_t i = 0; i < sent.size(); ++i) {
      same = same && values[2 * i] == sent[i] && values[2 * i + 1] == 99;
    }
    expect(same, std::to_string(bytes) + " bytes: what a receive with gaps brings");
  }
  MPI_Type_free(&gaps);
}

void probe_the_shortest(int rank) {
  const Bytes sent = message(as_short_as_can_be, 2);
  if (rank == 1) {
    MPI_Send(sent.data(), as_short_as_can_be, MPI_BYTE, 0, Tag::standard, MPI_COMM_WORLD);
  }
  if (rank != 0) return;
  MPI_Status status{};
  MPI_Probe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  expect_message(status, as_short_as_can_be, Tag::standard, "a probe");
  Bytes values(sent.size());
  MPI_Recv(values.data(), as_short_as_can_be, MPI_BYTE, 1, Tag::standard, MPI_COMM_WORLD, &status);
  expect_message(status, as_short_as_can_be, Tag::standard, "MPI_Recv");
  expect_values(values, as_short_as_can_be, 2, "MPI_Recv");
}

}  // namespace

void lengths_of_frames(const std::string& /*folder*/) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int seed = 0;
  for (const int bytes : sizes) {
    for (auto* receiving : {&receive_all, &receive_unseen}) {
      if (rank == 1) send(bytes, seed);
      if (rank == 0) receiving(bytes, seed);
      ++seed;
    }
  }
  probe_the_shortest(rank);
}

}  // namespace matching
