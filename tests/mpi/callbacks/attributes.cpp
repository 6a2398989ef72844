// MPI 4.0, section 7.7: MPI calls the program's copy and delete functions of attributes where it
// duplicates and frees communicators and datatypes; section 11.2.4: those of MPI_COMM_SELF first of
// all in MPI_Finalize.
#include "callbacks.h"

namespace callbacks {
namespace {

int rank_in_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int copies = 0;
int deletions = 0;

int copy(MPI_Comm /*old*/, int /*key*/, void* /*extra*/, void* value, void* copied, int* flag) {
  ++copies;
  if (rank_in_world() == 0) receive_from_1(1, MPI_COMM_WORLD, "in a copy function");
  if (rank_in_world() == 1) send_to_0(1, MPI_COMM_WORLD);
  *static_cast<void**>(copied) = value;
  *flag = 1;
  return MPI_SUCCESS;
}

int remove(MPI_Comm /*comm*/, int /*key*/, void* /*value*/, void* /*extra*/) {
  ++deletions;
  if (rank_in_world() == 0) receive_from_1(2, MPI_COMM_WORLD, "in a delete function");
  if (rank_in_world() == 1) send_to_0(2, MPI_COMM_WORLD);
  return MPI_SUCCESS;
}

int type_copies = 0;
int type_deletions = 0;

int refuse_copy(MPI_Datatype /*old*/, int /*key*/, void* /*extra*/, void* /*value*/,
                void* /*copied*/, int* /*flag*/) {
  ++type_copies;
  return MPI_ERR_OTHER;
}

int count_deletion(MPI_Datatype /*type*/, int /*key*/, void* /*value*/, void* /*extra*/) {
  ++type_deletions;
  return MPI_SUCCESS;
}

// Every second value of a row: a type that has an attribute.
MPI_Datatype type_with_attribute(int key) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(values_of_a_message / 2, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Type_set_attr(type, key, nullptr);
  return type;
}

void expect_every_second(const std::vector<int>& values, int number) {
  const std::vector<int> all = message(number);
  bool right = true;
  for (std::size_t i = 0; i < all.size(); i += 2) right = right && values[i] == all[i];
  expect(right, "values of a type with an attribute");
}

void send_with(MPI_Datatype type, int number) {
  const std::vector<int> values = message(number);
  MPI_Send(values.data(), 1, type, 0, number, MPI_COMM_WORLD);
}

void receive_with(MPI_Datatype type, int number) {
  std::vector<int> values(values_of_a_message);
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Irecv(values.data(), 1, type, 1, number, MPI_COMM_WORLD, &request);
  expect(code == MPI_SUCCESS, "MPI_Irecv of a type whose attribute cannot be copied");
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect_every_second(values, number);
}

// The program frees the type before the message is here.
void receive_after_free(MPI_Datatype* type, int number) {
  std::vector<int> values(values_of_a_message);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(values.data(), 1, *type, 1, number, MPI_COMM_WORLD, &request);
  MPI_Type_free(type);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect_every_second(values, number);
}

void receive_again_and_again(MPI_Datatype type, int number) {
  std::vector<int> values(values_of_a_message);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Recv_init(values.data(), 1, type, 1, number, MPI_COMM_WORLD, &request);
  for (int i = 0; i < 2; ++i) {
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect_every_second(values, number);
  }
  MPI_Request_free(&request);
}

// What it waits for is only sent in the delete function of rank 1, which comes later: the sender
// has not begun to finalise when the receiver waits.
int receive_at_the_end(MPI_Comm /*comm*/, int /*key*/, void* /*value*/, void* /*extra*/) {
  if (rank_in_world() == 0) receive_from_1(1, MPI_COMM_WORLD, "in MPI_Finalize");
  if (rank_in_world() == 0) receive_from_1(Way::probe, 2, MPI_COMM_WORLD, "in MPI_Finalize");
  if (rank_in_world() == 1) send_to_0(2, MPI_COMM_WORLD);
  return MPI_SUCCESS;
}

}  // namespace

void attributes() {
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_create_keyval(&copy, &remove, &key, nullptr);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_attr(comm, key, nullptr);
  MPI_Comm duplicates[2] = {MPI_COMM_NULL, MPI_COMM_NULL};
  MPI_Comm_dup(comm, &duplicates[0]);
  MPI_Comm_dup_with_info(comm, MPI_INFO_NULL, &duplicates[1]);
  for (MPI_Comm& duplicate : duplicates) MPI_Comm_free(&duplicate);
  MPI_Comm_delete_attr(comm, key);
  MPI_Comm_free(&comm);
  MPI_Comm_free_keyval(&key);
  expect(copies == 2 && deletions == 3, "copy and delete functions of a communicator");
}

void datatype_attributes() {
  int key = MPI_KEYVAL_INVALID;
  MPI_Type_create_keyval(&refuse_copy, &count_deletion, &key, nullptr);
  MPI_Datatype type = type_with_attribute(key);
  if (rank_in_world() == 0) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    receive_with(type, 1);
    receive_again_and_again(type, 2);
    receive_after_free(&type, 3);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  } else {
    for (const int number : {1, 2, 2}) send_with(type, number);
    MPI_Barrier(MPI_COMM_WORLD);
    send_with(type, 3);
    MPI_Type_free(&type);
  }
  MPI_Type_free_keyval(&key);
  expect(type_copies == 0 && type_deletions == 1, "attribute functions of a datatype");
}

void finalize() {
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &receive_at_the_end, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  if (rank_in_world() != 1) return;
  // Rank 0 is in MPI_Finalize, as far as this rank can know it: it says nothing any more.
  MPI_Ssend(message(1).data(), values_of_a_message, MPI_INT, 0, 1, MPI_COMM_WORLD);
}

}  // namespace callbacks
