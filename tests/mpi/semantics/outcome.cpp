#include "outcome.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "content.h"

namespace semantics {
namespace {

std::string number_or(int value, int special, const char* word) {
  return value == special ? word : std::to_string(value);
}

const char* name_of(Base base) {
  constexpr const char* names[] = {"bytes", "int32", "float32", "float64", "record"};
  return names[static_cast<std::size_t>(base)];
}

const char* name_of(Shape shape) {
  constexpr const char* names[] = {"basic",  "contiguous", "vector",  "strided",
                                   "blocks", "shuffled",   "absolute"};
  return names[static_cast<std::size_t>(shape)];
}

const char* name_of(SendMode mode) {
  constexpr const char* names[] = {"standard", "synchronous", "buffered", "ready"};
  return names[static_cast<std::size_t>(mode)];
}

const char* name_of(Way way) {
  constexpr const char* names[] = {"blocking", "immediate", "persistent"};
  return names[static_cast<std::size_t>(way)];
}

const char* name_of(Kind kind) {
  constexpr const char* names[] = {"send", "receive", "barrier", "allreduce", "generalized"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace

int error_class(int code) {
  int result = MPI_SUCCESS;
  MPI_Error_class(code, &result);
  return result;
}

std::string status_text(const MPI_Status& status, const Communicator& comm, int rank,
                        MPI_Datatype type) {
  int count = 0;
  int elements = 0;
  MPI_Count elements_x = 0;
  int cancelled = 0;
  MPI_Get_count(&status, type, &count);
  MPI_Get_elements(&status, type, &elements);
  MPI_Get_elements_x(&status, type, &elements_x);
  MPI_Test_cancelled(&status, &cancelled);
  std::ostringstream text;
  text << "source " << comm.world_rank(status.MPI_SOURCE, rank) << " tag " << status.MPI_TAG
       << " count " << number_or(count, MPI_UNDEFINED, "undefined") << " elements "
       << number_or(elements, MPI_UNDEFINED, "undefined");
  if (elements_x != elements) text << " elements_x " << elements_x;
  if (cancelled != 0) text << " cancelled";
  return text.str();
}

std::string open_status_text(const MPI_Status& status, Base base, MPI_Datatype type) {
  int count = 0;
  int elements = 0;
  int type_bytes = 0;
  MPI_Get_count(&status, type, &count);
  MPI_Get_elements(&status, type, &elements);
  MPI_Type_size(type, &type_bytes);
  const auto per_record = base == Base::record ? 2 : 1;
  const int bytes = elements / per_record * static_cast<int>(size_of(base));
  const int expected = type_bytes == 0           ? 0
                       : bytes % type_bytes == 0 ? bytes / type_bytes
                                                 : MPI_UNDEFINED;
  return "tag " + std::to_string(status.MPI_TAG) + " elements " + std::to_string(elements) +
         (count == expected ? "" : " COUNT-WRONG");
}

std::string data_text(const Buffer& buffer, const std::vector<std::byte>& bytes,
                      const Message& message, bool truncated, double bound) {
  if (truncated) return "outside " + buffer.compare_outside(bytes);
  const std::string verdict = buffer.compare(bytes, content_of(message), bound);
  return (bound > 0 ? "" : "hash " + hash_of(bytes) + " ") + "data " + verdict;
}

std::string sum_text(const std::vector<double>& sum, double bound) {
  const auto strays = [&](double x) { return !(std::fabs(x - std::round(sum[0])) <= bound); };
  const bool ok = std::none_of(sum.begin(), sum.end(), strays);
  return "sum " + std::to_string(std::lround(sum[0])) + (ok ? "" : " STRAYS");
}

std::string describe(const Operation& operation) {
  std::ostringstream text;
  text << name_of(operation.kind) << " comm " << operation.comm;
  if (operation.kind == Kind::send || operation.kind == Kind::receive) {
    text << " peer " << number_or(operation.peer, any, "any") << " tag "
         << number_or(operation.tag, any, "any") << " " << operation.signature.count << " "
         << name_of(operation.signature.base) << " " << name_of(operation.placement.shape) << " "
         << name_of(operation.way);
    if (operation.kind == Kind::send) text << " " << name_of(operation.mode);
    if (operation.truncated) text << " truncated";
  }
  return text.str();
}

}  // namespace semantics
