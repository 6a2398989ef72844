#include "records.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "group.h"

namespace operations {
namespace {

constexpr int packed_size = sizeof(double) + sizeof(int);

// The signature is a double and an int; what differs is where they stand.
struct Roomy {
  char unused[4];
  int number;
  double value;
  char gap[16];
};
struct Tight {
  double value;
  int number;
};

// Of a double at `value`, an int at `number`, repeated every `size` bytes.
class Record {
 public:
  Record(std::size_t value, std::size_t number, std::size_t size)
      : value_(value), number_(number), size_(size) {
    const std::array<int, 2> lengths{1, 1};
    const std::array<MPI_Aint, 2> places{static_cast<MPI_Aint>(value),
                                         static_cast<MPI_Aint>(number)};
    const std::array<MPI_Datatype, 2> types{MPI_DOUBLE, MPI_INT};
    MPI_Datatype fields = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, lengths.data(), places.data(), types.data(), &fields);
    MPI_Type_create_resized(fields, 0, static_cast<MPI_Aint>(size), &type_);
    MPI_Type_commit(&type_);
    MPI_Type_free(&fields);
  }
  ~Record() { MPI_Type_free(&type_); }
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;

  [[nodiscard]] MPI_Datatype type() const { return type_; }
  [[nodiscard]] std::vector<unsigned char> room(int count) const {
    return std::vector<unsigned char>(static_cast<std::size_t>(count) * size_ + 32, 0xa5);
  }
  // The fields alone, without what lies between them; and back.
  [[nodiscard]] std::vector<unsigned char> packed(const std::vector<unsigned char>& records,
                                                  int count) const {
    std::vector<unsigned char> bytes(static_cast<std::size_t>(count) * packed_size);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      std::memcpy(&bytes[i * packed_size], &records[i * size_ + value_], sizeof(double));
      std::memcpy(&bytes[i * packed_size + sizeof(double)], &records[i * size_ + number_],
                  sizeof(int));
    }
    return bytes;
  }
  void unpack(const std::vector<unsigned char>& bytes, void* records) const {
    auto* to = static_cast<unsigned char*>(records);
    for (std::size_t i = 0; i < bytes.size() / packed_size; ++i) {
      std::memcpy(to + i * size_ + value_, &bytes[i * packed_size], sizeof(double));
      std::memcpy(to + i * size_ + number_, &bytes[i * packed_size + sizeof(double)], sizeof(int));
    }
  }

  // Any bytes will do: nothing but copies of them is asked for.
  [[nodiscard]] std::vector<unsigned char> filled(int count, int rank) const {
    std::vector<unsigned char> bytes = room(count);
    std::minstd_rand random(static_cast<unsigned>(rank + 1));
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random() >> 8);
    return bytes;
  }

 private:
  std::size_t value_;
  std::size_t number_;
  std::size_t size_;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

Case case_of(const char* what, const std::string& name, MPI_Comm comm,
             std::vector<unsigned char> receive) {
  Case made;
  made.name = std::string(what) + " of " + name;
  made.comm = comm;
  made.receive = std::move(receive);
  return made;
}

// One operation from records of one layout to another. MPICH 4.0 fails in some of these calls
// ("truncated"), so the reference moves the fields as bytes.
class Between {
 public:
  Between(Checker& checker, const Group& group, const Record& from, const Record& to, int count,
          std::string name)
      : checker_(checker),
        group_(group),
        from_(from),
        to_(to),
        count_(count),
        name_(std::move(name)) {}

  // `move(send, count, type, receive, type)`: `count` records of each rank, of which it sends as
  // many to `targets` ranks, and receives them from `sources` ranks where `receives`.
  template <class Move>
  void check(const char* what, int targets, int sources, bool receives, Move&& move) const {
    const std::vector<unsigned char> send = from_.filled(count_ * targets, group_.rank);
    const std::vector<unsigned char> send_bytes = from_.packed(send, count_ * targets);
    const int expected = receives ? count_ * sources : 0;
    checker_.check(
        case_of(what, name_, group_.comm, to_.room(count_ * sources)),
        [&](void* receive) {
          std::vector<unsigned char> bytes(static_cast<std::size_t>(count_ * sources) *
                                           packed_size);
          move(send_bytes.data(), count_ * packed_size, MPI_BYTE, bytes.data(), MPI_BYTE);
          bytes.resize(static_cast<std::size_t>(expected) * packed_size);
          to_.unpack(bytes, receive);
        },
        [&](void* receive) { move(send.data(), count_, from_.type(), receive, to_.type()); });
  }

  void all() const {
    const int ranks = group_.ranks;
    const int root = ranks - 1;
    const MPI_Comm comm = group_.comm;
    check("Gather", 1, ranks, group_.rank == root,
          [&](const void* send, int count, MPI_Datatype from, void* receive, MPI_Datatype to) {
            MPI_Gather(send, count, from, receive, count, to, root, comm);
          });
    check("Scatter", ranks, 1, true,
          [&](const void* send, int count, MPI_Datatype from, void* receive, MPI_Datatype to) {
            MPI_Scatter(send, count, from, receive, count, to, root, comm);
          });
    check("Allgather", 1, ranks, true,
          [&](const void* send, int count, MPI_Datatype from, void* receive, MPI_Datatype to) {
            MPI_Allgather(send, count, from, receive, count, to, comm);
          });
    check("Alltoall", ranks, ranks, true,
          [&](const void* send, int count, MPI_Datatype from, void* receive, MPI_Datatype to) {
            MPI_Alltoall(send, count, from, receive, count, to, comm);
          });
  }

 private:
  Checker& checker_;
  const Group& group_;
  const Record& from_;
  const Record& to_;
  int count_;
  std::string name_;
};

}  // namespace

void check_records(Checker& checker, MPI_Comm comm, const std::string& comm_name) {
  const Group group(comm);
  const Record roomy(offsetof(Roomy, value), offsetof(Roomy, number), sizeof(Roomy));
  const Record tight(offsetof(Tight, value), offsetof(Tight, number), sizeof(Tight));
  for (const int count : {1000, 9000}) {
    const std::string name = std::to_string(count) + " records on " + comm_name;
    Between(checker, group, tight, tight, count, "tight " + name).all();
    Between(checker, group, tight, roomy, count, "tight to roomy " + name).all();
    Between(checker, group, roomy, tight, count, "roomy to tight " + name).all();
  }
}

}  // namespace operations
