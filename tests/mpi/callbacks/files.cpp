// MPI 4.0, section 14.4: what is written to a file is what the program wrote, bit for bit, whatever
// error bound there is for messages, though MPI may exchange it between ranks by public functions
// of its own.
#include <cstdio>

#include "callbacks.h"

namespace callbacks {
namespace {

constexpr const char* path = "written.bin";
constexpr int block = 64;
constexpr int blocks = 512;
constexpr int values = block * blocks;

double value_at(int rank, int i) {
  return rank + 1.0 / (i + 3);
}

std::vector<double> values_of(int rank) {
  std::vector<double> all;
  for (int i = 0; i < values; ++i) all.push_back(value_at(rank, i));
  return all;
}

// Opens the file with a view of every second block, of which rank 1 has the others. Ranks exchange
// their blocks, so that each writes a stretch of the file.
MPI_File open_with_view(int rank) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "romio_cb_write", "enable");
  MPI_Info_set(info, "romio_cb_read", "enable");
  MPI_File file = MPI_FILE_NULL;
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file);
  MPI_Info_free(&info);
  MPI_Datatype part = MPI_DATATYPE_NULL;
  MPI_Type_vector(blocks, block, 2 * block, MPI_DOUBLE, &part);
  MPI_Type_commit(&part);
  const auto begin = static_cast<MPI_Offset>(sizeof(double)) * block * rank;
  MPI_File_set_view(file, begin, MPI_DOUBLE, part, "native", MPI_INFO_NULL);
  MPI_Type_free(&part);
  return file;
}

bool is_written() {
  std::vector<double> found(2 * values);
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return false;
  const std::size_t count = std::fread(found.data(), sizeof(double), found.size(), file);
  std::fclose(file);
  bool right = count == found.size();
  for (int i = 0; i < values; ++i) {
    const int place = (i / block) * 2 * block + i % block;
    right =
        right && found[static_cast<std::size_t>(place)] == value_at(0, i) &&
        found[static_cast<std::size_t>(place) + static_cast<std::size_t>(block)] == value_at(1, i);
  }
  return right;
}

}  // namespace

void files() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::vector<double> written = values_of(rank);
  MPI_File file = open_with_view(rank);
  MPI_File_write_all(file, written.data(), values, MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  std::vector<double> read(values);
  MPI_File_seek(file, 0, MPI_SEEK_SET);
  MPI_File_read_all(file, read.data(), values, MPI_DOUBLE, MPI_STATUS_IGNORE);
  expect(read == written, "what is read from a file");
  MPI_File_close(&file);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) expect(is_written(), "what is in a file");
}

}  // namespace callbacks
