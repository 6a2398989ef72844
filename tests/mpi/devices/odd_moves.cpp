// Gathers and all-to-alls of what devices have, called in ways that are seldom, within an error
// bound of 1e-3 that the job's settings have.
//
//   odd_moves_on_device DRIVER HOW
//
// HOW: plain (the root alone names where a gather goes), typed (what comes has a datatype of the
// program's, of which a block is one item), sent-typed (so has what is sent), gaps (which leaves
// gaps), in-place (of a gather, with such a type at the root, and of an allgather), communicators
// (several, one after the other, with ranks in another order), between (two groups), empty (blocks
// of nothing). Each rank sends from memory of a device and receives to some; three rounds of a
// Gather, an Allgather and an Alltoall. Rank 0 prints for each round what all ranks have: "within
// the bound", "wrong", or "an error".
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "memory.h"

namespace devices {
namespace {

constexpr double bound = 1e-3;
constexpr int items = 20000;  // of a block
constexpr int most = 4;       // ranks
constexpr float untouched = -7;

int rank = 0;
int ranks = 0;
int size = 0;  // of the communicator of a call, or of the other group
std::string how;

// Item `i` of what a rank of MPI_COMM_WORLD sends to another one of the call's communicator.
float value_at(int i, int from, int to) {
  return static_cast<float>(std::sin(i * 1e-3 + from) + 0.5 * to);
}

struct Call {
  Memory<float>& own;
  Memory<float>& result;
  MPI_Comm comm;
  int count;  // of what comes in a block, which begins each `stride` values
  MPI_Datatype received;
  int stride;
  std::vector<int> senders;  // by rank: as MPI_COMM_WORLD has them
};

void fill(const Call& call) {
  float* const own = call.own.values();
  for (int i = 0; i < most * items; ++i) own[i] = value_at(i % items, rank, i / items);
  call.own.written();
  for (int i = 0; i < 2 * most * items; ++i) call.result.values()[i] = untouched;
  call.result.written();
}

// Whether the blocks are there that were sent to `to`, and nothing else is.
bool is_right(const Call& call, int blocks, int to) {
  call.result.to_be_read();
  const float* const got = call.result.values();
  const bool gaps = call.stride > items;
  for (int block = 0; block < blocks; ++block) {
    const float* const begin = got + block * call.stride;
    for (int i = 0; i < items; ++i) {
      const int place = gaps ? 2 * i : i;
      const float expected = value_at(i, call.senders[static_cast<std::size_t>(block)], to);
      if (!(std::abs(begin[place] - expected) <= bound * 1.01)) return false;
      if (gaps && begin[place + 1] != untouched) return false;
    }
  }
  return got[blocks * call.stride] == untouched;
}

int sent_items() {
  return how == "empty" ? 0 : items;
}

// Block `to` of the own values, or nothing to send.
const float* block_of(const Call& call, int to) {
  return static_cast<const float*>(call.own.given()) + to * items;
}

int gather(const Call& call, int own_rank, bool is_root, int root) {
  fill(call);
  MPI_Datatype sent = how == "sent-typed" ? call.received : MPI_FLOAT;
  const int count = how == "sent-typed" ? 1 : sent_items();
  const bool in_place = how == "in-place" && is_root;
  const float* const block = block_of(call, 0);
  if (in_place) {
    for (int i = 0; i < items; ++i) {
      call.result.values()[own_rank * items + i] = value_at(i, rank, 0);
    }
    call.result.written();
  }
  const void* const from = in_place ? MPI_IN_PLACE : static_cast<const void*>(block);
  void* const to = is_root ? call.result.given() : nullptr;
  const int code = MPI_Gather(from, count, sent, to, call.count,
                              is_root ? call.received : MPI_DATATYPE_NULL, root, call.comm);
  if (code != MPI_SUCCESS) return 2;
  return is_right(call, is_root && how != "empty" ? size : 0, 0) ? 0 : 1;
}

int allgather(const Call& call, int own_rank) {
  fill(call);
  const bool in_place = how == "in-place";
  if (in_place) {
    for (int i = 0; i < items; ++i) {
      call.result.values()[own_rank * items + i] = value_at(i, rank, 0);
    }
    call.result.written();
  }
  const void* const from = in_place ? MPI_IN_PLACE : static_cast<const void*>(block_of(call, 0));
  const int code = MPI_Allgather(from, sent_items(), MPI_FLOAT, call.result.given(), call.count,
                                 call.received, call.comm);
  if (code != MPI_SUCCESS) return 2;
  return is_right(call, how == "empty" ? 0 : size, 0) ? 0 : 1;
}

int alltoall(const Call& call, int own_rank) {
  fill(call);
  const int code = MPI_Alltoall(call.own.given(), sent_items(), MPI_FLOAT, call.result.given(),
                                call.count, call.received, call.comm);
  if (code != MPI_SUCCESS) return 2;
  return is_right(call, how == "empty" ? 0 : size, own_rank) ? 0 : 1;
}

// `sender(rank)`: who has that rank in the communicator.
template <class Sender>
int all_calls(Call call, Sender sender) {
  int inter = 0;
  MPI_Comm_test_inter(call.comm, &inter);
  int own_rank = 0;
  MPI_Comm_rank(call.comm, &own_rank);
  inter != 0 ? MPI_Comm_remote_size(call.comm, &size) : MPI_Comm_size(call.comm, &size);
  for (int of = 0; of < size; ++of) call.senders.push_back(sender(of));
  // Between groups, that of rank 0 receives what the other one sends.
  const bool is_root = rank == 0;
  int root = sender(0) == 0 ? 0 : size - 1;
  if (inter != 0) root = is_root ? MPI_ROOT : 0;
  const int answers[] = {gather(call, own_rank, is_root, root), allgather(call, own_rank),
                         alltoall(call, own_rank)};
  int worst = 0;
  for (const int answer : answers) worst = answer > worst ? answer : worst;
  return worst;
}

MPI_Datatype received_type() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  if (how == "gaps") {
    MPI_Datatype vector = MPI_DATATYPE_NULL;
    MPI_Type_vector(items, 1, 2, MPI_FLOAT, &vector);
    MPI_Type_create_resized(vector, 0, 2 * items * static_cast<MPI_Aint>(sizeof(float)), &type);
    MPI_Type_free(&vector);
  } else {
    MPI_Type_contiguous(items, MPI_FLOAT, &type);
  }
  MPI_Type_commit(&type);
  return type;
}

int round_of_calls(Call call) {
  const auto in_order = [](int of) { return of; };
  if (how == "between") {
    MPI_Comm group = MPI_COMM_NULL;
    MPI_Comm between = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 5, &between);
    MPI_Comm_set_errhandler(between, MPI_ERRORS_RETURN);
    call.comm = between;
    const int answer = all_calls(call, [](int of) { return rank == 0 ? of + 1 : 0; });
    MPI_Comm_free(&between);
    MPI_Comm_free(&group);
    return answer;
  }
  if (how != "communicators") return all_calls(call, in_order);
  MPI_Comm backwards = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
  const int first = all_calls(call, in_order);
  call.comm = backwards;
  const int second = all_calls(call, [](int of) { return ranks - 1 - of; });
  MPI_Comm_free(&backwards);
  return first > second ? first : second;
}

int main(int argc, char** argv) {
  if (argc < 3) return 1;
  how = argv[2];
  const Driver driver(argv[1]);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  Memory<float> own(driver, true, most * items);
  Memory<float> result(driver, true, 2 * most * items);
  constexpr const char* answers[] = {"within the bound", "wrong", "an error"};
  MPI_Datatype received = received_type();
  const bool is_typed = how == "typed" || how == "sent-typed" || how == "gaps" || how == "in-place";
  MPI_Datatype given = is_typed ? received : MPI_FLOAT;
  const int count = is_typed ? 1 : sent_items();
  for (int round = 0; round < 3; ++round) {
    int answer = round_of_calls(
        {own, result, MPI_COMM_WORLD, count, given, how == "gaps" ? 2 * items : items, {}});
    PMPI_Allreduce(MPI_IN_PLACE, &answer, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) std::puts(answers[answer]);
  }
  MPI_Type_free(&received);
  MPI_Finalize();
  return 0;
}

}  // namespace
}  // namespace devices

int main(int argc, char** argv) {
  return devices::main(argc, argv);
}
