// Lists of requests, large and small, of messages and of collectives; persistent requests.
#include <algorithm>
#include <functional>

#include "messages.h"
#include "tightwire.h"

namespace messages {
namespace {

constexpr int count = 7;
constexpr std::size_t bytes_of[count] = {70000, 8, 300000, 65536, 0, 1 << 20, 100};

// How a call completes requests: returns the places that are complete, in the order of statuses.
using Complete =
    std::function<std::vector<int>(std::vector<MPI_Request>&, std::vector<MPI_Status>&)>;

std::vector<int> all_places(std::size_t size) {
  std::vector<int> places(size);
  for (std::size_t i = 0; i < size; ++i) places[i] = static_cast<int>(i);
  return places;
}

struct Call {
  const char* name;
  Complete complete;
};

const Call calls[] = {
    {"Waitall",
     [](auto& requests, auto& statuses) {
       MPI_Waitall(static_cast<int>(requests.size()), requests.data(), statuses.data());
       return all_places(requests.size());
     }},
    {"Testall",
     [](auto& requests, auto& statuses) {
       int flag = 0;
       MPI_Testall(static_cast<int>(requests.size()), requests.data(), &flag, statuses.data());
       return flag != 0 ? all_places(requests.size()) : std::vector<int>{};
     }},
    {"Waitany",
     [](auto& requests, auto& statuses) {
       int index = 0;
       MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &index, statuses.data());
       return std::vector<int>{index};
     }},
    {"Testany",
     [](auto& requests, auto& statuses) {
       int index = 0;
       int flag = 0;
       MPI_Testany(static_cast<int>(requests.size()), requests.data(), &index, &flag,
                   statuses.data());
       return flag != 0 ? std::vector<int>{index} : std::vector<int>{};
     }},
    {"Waitsome",
     [](auto& requests, auto& statuses) {
       std::vector<int> places(requests.size());
       int found = 0;
       MPI_Waitsome(static_cast<int>(requests.size()), requests.data(), &found, places.data(),
                    statuses.data());
       places.resize(static_cast<std::size_t>(std::max(found, 0)));
       return places;
     }},
    {"Testsome",
     [](auto& requests, auto& statuses) {
       std::vector<int> places(requests.size());
       int found = 0;
       MPI_Testsome(static_cast<int>(requests.size()), requests.data(), &found, places.data(),
                    statuses.data());
       places.resize(static_cast<std::size_t>(std::max(found, 0)));
       return places;
     }},
    {"Wait",
     [](auto& requests, auto& statuses) {
       const auto next = std::find_if(requests.begin(), requests.end(),
                                      [](MPI_Request r) { return r != MPI_REQUEST_NULL; });
       MPI_Wait(&*next, statuses.data());
       return std::vector<int>{static_cast<int>(next - requests.begin())};
     }},
    {"Request_get_status, Test",
     [](auto& requests, auto& statuses) {
       for (std::size_t i = 0; i < requests.size(); ++i) {
         if (requests[i] == MPI_REQUEST_NULL) continue;
         int flag = 0;
         MPI_Request_get_status(requests[i], &flag, statuses.data());
         if (flag == 0) continue;
         MPI_Test(&requests[i], &flag, statuses.data());
         expect(flag != 0, "Test after Request_get_status");
         return std::vector<int>{static_cast<int>(i)};
       }
       return std::vector<int>{};
     }},
};

std::vector<unsigned char> message_at(int place) {
  return content(place % 2 == 0 ? Kind::smooth : Kind::random, bytes_of[place], place);
}

void receive_list(const Call& call, MPI_Comm comm) {
  std::vector<Buffer> buffers;
  buffers.reserve(count);
  std::vector<MPI_Request> requests(count);
  for (int i = 0; i < count; ++i) buffers.emplace_back(bytes_of[i] + 64);
  for (int i = 0; i < count; ++i) {
    MPI_Irecv(buffers[static_cast<std::size_t>(i)].data(),
              buffers[static_cast<std::size_t>(i)].room(), MPI_BYTE, 0, i, comm,
              &requests[static_cast<std::size_t>(i)]);
  }
  MPI_Send(nullptr, 0, MPI_BYTE, 0, 99, comm);
  std::vector<MPI_Status> statuses(count);
  for (int done = 0; done < count;) {
    const std::vector<int> places = call.complete(requests, statuses);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto place = static_cast<std::size_t>(places[i]);
      const std::string what = std::string(call.name) + ", message " + std::to_string(place);
      buffers[place].expect_message(message_at(places[i]), what);
      expect_status(statuses[i], 0, places[i], bytes_of[place], what);
      expect(requests[place] == MPI_REQUEST_NULL, what + ": request");
    }
    done += static_cast<int>(places.size());
  }
  int flag = 0;
  int index = 0;
  MPI_Testany(count, requests.data(), &index, &flag, MPI_STATUS_IGNORE);
  expect(flag != 0 && index == MPI_UNDEFINED, "Testany of nothing");
}

void send_list(const Call& call, MPI_Comm comm) {
  std::vector<std::vector<unsigned char>> kept;
  kept.reserve(count);
  std::vector<MPI_Request> requests(count);
  MPI_Recv(nullptr, 0, MPI_BYTE, 1, 99, comm, MPI_STATUS_IGNORE);
  for (int i = 0; i < count; ++i) kept.push_back(message_at(i));
  for (int i = count - 1; i >= 0; --i) {
    const auto place = static_cast<std::size_t>(i);
    MPI_Isend(kept[place].data(), static_cast<int>(kept[place].size()), MPI_BYTE, 1, i, comm,
              &requests[place]);
  }
  std::vector<MPI_Status> statuses(count);
  for (int done = 0; done < count;) {
    done += static_cast<int>(call.complete(requests, statuses).size());
  }
}

using Init = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

void repeat(const char* name, Init init, std::size_t bytes, MPI_Comm comm, int rank) {
  constexpr int rounds = 4;
  std::vector<unsigned char> message(bytes);
  Buffer buffer(bytes + 16);
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank == 0) {
    init(message.data(), static_cast<int>(bytes), MPI_BYTE, 1, 4, comm, &request);
  } else {
    MPI_Recv_init(buffer.data(), buffer.room(), MPI_BYTE, 0, 4, comm, &request);
  }
  for (int round = 0; round < rounds; ++round) {
    MPI_Status status{};
    int flag = 0;
    MPI_Test(&request, &flag, &status);
    expect(flag != 0, "Test of an inactive request");
    const auto expected = content(round % 2 == 0 ? Kind::smooth : Kind::random, bytes, round);
    const std::string what = std::string(name) + " of " + std::to_string(bytes);
    if (rank == 0) {
      message = expected;
      MPI_Recv(nullptr, 0, MPI_BYTE, 1, 1, comm, MPI_STATUS_IGNORE);
    }
    round % 2 == 0 ? MPI_Start(&request) : MPI_Startall(1, &request);
    if (rank == 1) MPI_Send(nullptr, 0, MPI_BYTE, 0, 1, comm);
    round % 2 == 0 ? MPI_Wait(&request, &status) : MPI_Waitall(1, &request, &status);
    expect(request != MPI_REQUEST_NULL, what + ": persistent request after completion");
    if (rank == 1) {
      Buffer fresh(bytes + 16);
      std::copy(buffer.data(), buffer.data() + bytes, fresh.data());
      fresh.expect_message(expected, what);
      expect_status(status, 0, 4, bytes, what);
    }
  }
  MPI_Request_free(&request);
  expect(request == MPI_REQUEST_NULL, "Request_free");
}

}  // namespace

void check_completion(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  for (const Call& call : calls) {
    if (rank == 0) send_list(call, comm);
    if (rank == 1) receive_list(call, comm);
  }
}

void check_persistent(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank > 1) return;
  std::vector<unsigned char> attached((16 << 20) + MPI_BSEND_OVERHEAD);
  MPI_Buffer_attach(attached.data(), static_cast<int>(attached.size()));
  for (const std::size_t bytes : sizes) {
    repeat("Send_init", &MPI_Send_init, bytes, comm, rank);
    repeat("Ssend_init", &MPI_Ssend_init, bytes, comm, rank);
    // Plain Open MPI 4.1 sends what the buffer held when the request was made.
    if (bytes < 65536 || tightwire_available()) {
      repeat("Bsend_init", &MPI_Bsend_init, bytes, comm, rank);
    }
    repeat("Rsend_init", &MPI_Rsend_init, bytes, comm, rank);
  }
  void* detached = nullptr;
  int size = 0;
  MPI_Buffer_detach(&detached, &size);
}

}  // namespace messages
