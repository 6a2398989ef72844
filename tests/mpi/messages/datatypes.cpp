// Derived datatypes on either side: signatures match, layouts do not.
#include <cstring>
#include <numeric>

#include "messages.h"

namespace messages {
namespace {

constexpr int columns = 8;

// Columns of a matrix sent, rows of doubles received, and the other way round.
void pass_columns(MPI_Comm comm, int rank, int rows, Kind kind) {
  MPI_Datatype column = MPI_DATATYPE_NULL;
  MPI_Type_vector(rows, 1, columns, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  const std::size_t bytes = static_cast<std::size_t>(rows) * sizeof(double);
  const auto message = content(kind, bytes, rows);
  std::vector<double> matrix(static_cast<std::size_t>(rows) * columns, -1);
  const auto in_column = [&](int row) { return static_cast<std::size_t>(row) * columns + 2; };
  const std::string what = "column of " + std::to_string(rows);
  MPI_Status status{};
  if (rank == 0) {
    for (int row = 0; row < rows; ++row) {
      std::memcpy(&matrix[in_column(row)], &message[static_cast<std::size_t>(row) * 8], 8);
    }
    MPI_Send(&matrix[2], 1, column, 1, 1, comm);
    MPI_Send(message.data(), static_cast<int>(bytes), MPI_BYTE, 1, 2, comm);
    MPI_Send(&matrix[2], 1, column, 1, 3, comm);
  } else {
    Buffer buffer(bytes + 40);
    MPI_Recv(buffer.data(), rows + 5, MPI_DOUBLE, 0, 1, comm, &status);
    buffer.expect_message(message, what + " as a row");
    expect_status(status, 0, 1, bytes, what + " as a row");
    for (int tag = 2; tag <= 3; ++tag) {
      std::vector<double> got(matrix.size(), -1);
      std::vector<double> expected(matrix.size(), -1);
      for (int row = 0; row < rows; ++row) {
        std::memcpy(&expected[in_column(row)], &message[static_cast<std::size_t>(row) * 8], 8);
      }
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Datatype copy = MPI_DATATYPE_NULL;
      MPI_Type_dup(column, &copy);
      MPI_Irecv(&got[2], 1, copy, 0, tag, comm, &request);
      MPI_Type_free(&copy);
      MPI_Wait(&request, &status);
      expect(std::memcmp(got.data(), expected.data(), got.size() * 8) == 0, what + " in a matrix");
      int items = -1;
      int elements = -1;
      MPI_Get_count(&status, column, &items);
      MPI_Get_elements(&status, column, &elements);
      expect(items == 1 && elements == rows, what + ": items and elements");
    }
  }
  MPI_Type_free(&column);
}

// Absolute addresses; a message that ends within an item of the receiver's type.
void pass_at_bottom(MPI_Comm comm, int rank, int values) {
  std::vector<double> one(static_cast<std::size_t>(values), 0);
  std::vector<double> two(static_cast<std::size_t>(values), -1);
  std::iota(one.begin(), one.end(), 1.0);
  MPI_Aint places[2];
  MPI_Get_address(one.data(), &places[0]);
  MPI_Get_address(two.data(), &places[1]);
  const int lengths[2] = {values, values};
  MPI_Datatype both = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed(2, lengths, places, MPI_DOUBLE, &both);
  MPI_Type_commit(&both);
  if (rank == 0) {
    MPI_Send(MPI_BOTTOM, 1, both, 1, 1, comm);
    MPI_Send(one.data(), values, MPI_DOUBLE, 1, 2, comm);
  } else {
    std::vector<double> got(2 * one.size(), 0);
    MPI_Recv(got.data(), 2 * values, MPI_DOUBLE, 0, 1, comm, MPI_STATUS_IGNORE);
    expect(std::memcmp(got.data(), one.data(), one.size() * 8) == 0 &&
               std::memcmp(&got[one.size()], two.data(), two.size() * 8) == 0,
           "from MPI_BOTTOM");
    const std::vector<double> expected = one;
    one.assign(one.size(), 0);
    MPI_Status status{};
    MPI_Recv(MPI_BOTTOM, 1, both, 0, 2, comm, &status);
    expect(one == expected && two == std::vector<double>(two.size(), -1), "to MPI_BOTTOM, in part");
    int items = -1;
    int elements = -1;
    MPI_Get_count(&status, both, &items);
    MPI_Get_elements(&status, both, &elements);
    expect(items == MPI_UNDEFINED && elements == values, "part of an item: counts");
  }
  MPI_Type_free(&both);
}

}  // namespace

void check_datatypes(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank > 1) return;
  for (const int rows : {1, 31, 32, 33, 1000, 20000, 200000}) {
    pass_columns(comm, rank, rows, Kind::smooth);
    pass_columns(comm, rank, rows, Kind::random);
  }
  pass_at_bottom(comm, rank, 10);
  pass_at_bottom(comm, rank, 50000);
}

}  // namespace messages
