// Requests of files and of messages in one list, some of which advance only when they are tested
// themselves: MPI 4.0, sections 3.7.5 and 14.4.
#include <sched.h>

#include <algorithm>

#include "performer.h"

namespace semantics {
namespace {

MPI_File open_for(MPI_Comm comm, const std::string& path) {
  MPI_File file = MPI_FILE_NULL;
  MPI_File_open(comm, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  return file;
}

void complete_some(std::vector<MPI_Request>& requests, bool waits) {
  const auto count = static_cast<int>(requests.size());
  int done = 0;
  std::vector<int> indices(requests.size());
  if (waits) MPI_Waitsome(count, requests.data(), &done, indices.data(), MPI_STATUSES_IGNORE);
  if (!waits) MPI_Testsome(count, requests.data(), &done, indices.data(), MPI_STATUSES_IGNORE);
}

void complete_several(std::vector<MPI_Request>& requests, Completion way) {
  const auto count = static_cast<int>(requests.size());
  int index = MPI_UNDEFINED;
  int flag = 0;
  switch (way) {
    case Completion::waitany:
      MPI_Waitany(count, requests.data(), &index, MPI_STATUS_IGNORE);
      return;
    case Completion::testany:
      MPI_Testany(count, requests.data(), &index, &flag, MPI_STATUS_IGNORE);
      return;
    case Completion::waitsome:
    case Completion::testsome:
      return complete_some(requests, way == Completion::waitsome);
    case Completion::testall:
      MPI_Testall(count, requests.data(), &flag, MPI_STATUSES_IGNORE);
      return;
    default:
      MPI_Waitall(count, requests.data(), MPI_STATUSES_IGNORE);
  }
}

void complete_all(std::vector<MPI_Request> requests, Completion way) {
  const auto open = [](MPI_Request request) { return request != MPI_REQUEST_NULL; };
  while (std::any_of(requests.begin(), requests.end(), open)) {
    complete_several(requests, way);
    sched_yield();
  }
}

}  // namespace

void Performer::use_file(const Step& step) {
  const auto way = static_cast<Completion>(step.way);
  const int count = static_cast<int>(1 + step.seed % 4000);
  const auto size = MPI_Offset{count} * static_cast<MPI_Offset>(sizeof(double));
  const std::vector<double> written(static_cast<std::size_t>(count), rank_ + 1.0 / 3);
  std::vector<double> read(written.size(), -1);
  std::vector<std::byte> received[2];
  MPI_File file = open_for(comms_[step.comm].handle, "file-" + std::to_string(step.seed) + ".bin");
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_File_iwrite_at_all(file, rank_ * size, written.data(), count, MPI_DOUBLE, &request);
  complete_all({errands_.start_receive(step.errands[0], received[0]), request}, way);
  MPI_File_iread_at(file, rank_ * size, read.data(), count, MPI_DOUBLE, &request);
  complete_all({request, errands_.start_receive(step.errands[1], received[1])}, way);
  MPI_File_close(&file);
  note(std::string("file ") + (read == written ? "ok" : "HOLDS SOMETHING ELSE") + " beside " +
       errands_.compare(step.errands[0], received[0]) + " " +
       errands_.compare(step.errands[1], received[1]));
}

}  // namespace semantics
