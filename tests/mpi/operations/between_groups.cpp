#include "between_groups.h"

#include <random>
#include <string>
#include <vector>

#include "data.h"
#include "group.h"

namespace operations {
namespace {

enum class Way { blocking, at_once };

// Ranks of `comm` on one side are in its order, those on the other in reverse.
class Sides {
 public:
  Sides(MPI_Comm comm, bool first) {
    const Group all(comm);
    MPI_Comm_split(comm, first ? 0 : 1, first ? all.rank : -all.rank, &local_);
    const std::vector<int> leaders = leaders_of(all, first);
    MPI_Intercomm_create(local_, 0, comm, leaders[first ? 1 : 0], 11, &between_);
    MPI_Comm_rank(local_, &rank);
    MPI_Comm_size(local_, &ranks);
    MPI_Comm_remote_size(between_, &others);
    is_first = first;
  }
  Sides(const Sides&) = delete;
  Sides& operator=(const Sides&) = delete;
  ~Sides() {
    MPI_Comm_free(&between_);
    MPI_Comm_free(&local_);
  }

  [[nodiscard]] MPI_Comm local() const { return local_; }
  [[nodiscard]] MPI_Comm between() const { return between_; }
  // What tells the values of all ranks apart.
  [[nodiscard]] int number() const { return is_first ? rank : 100 + rank; }

  int rank = 0;
  int ranks = 0;
  int others = 0;
  bool is_first = false;

 private:
  // In `comm`: the least of the first side, the greatest of the other one.
  static std::vector<int> leaders_of(const Group& all, bool first) {
    std::vector<int> sides(static_cast<std::size_t>(all.ranks));
    const int own = first ? 0 : 1;
    MPI_Allgather(&own, 1, MPI_INT, sides.data(), 1, MPI_INT, all.comm);
    std::vector<int> leaders{-1, -1};
    for (int i = 0; i < all.ranks; ++i) {
      const bool is_other = sides[static_cast<std::size_t>(i)] != 0;
      if (is_other) leaders[1] = i;
      if (!is_other && leaders[0] < 0) leaders[0] = i;
    }
    return leaders;
  }

  MPI_Comm local_ = MPI_COMM_NULL;
  MPI_Comm between_ = MPI_COMM_NULL;
};

// Calls the function that waits, or starts the other and waits for its end.
template <class Blocking, class AtOnce, class... Arguments>
void call(Way way, Blocking blocking, AtOnce at_once, Arguments... arguments) {
  if (way == Way::blocking) {
    blocking(arguments...);
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  at_once(arguments..., &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// No codec makes less of it.
std::vector<unsigned char> noise(std::size_t size, int number) {
  std::vector<unsigned char> bytes(size);
  std::minstd_rand random(static_cast<unsigned>(number + 1));
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random() >> 8);
  return bytes;
}

const Type noisy{"byte", MPI_BYTE, 1, false};

class Crossing {
 public:
  Crossing(Checker& checker, const Sides& sides, const Type& type, int count, Way way,
           std::string name)
      : checker_(checker),
        sides_(sides),
        type_(type),
        count_(count),
        way_(way),
        name_(std::move(name)) {}

  void all() {
    // After Open MPI 4.1's own MPI_Ibcast, in which a rank passes MPI_PROC_NULL, other collectives
    // that return at once do not come back.
    for (const bool from_first : {true, false}) {
      if (way_ == Way::at_once) break;
      bcast(from_first, 0);
      bcast(from_first, (from_first == sides_.is_first ? sides_.ranks : sides_.others) - 1);
    }
    // As much either way, or less from one side. Where one sends nothing MPICH 4.0's own
    // MPI_Allgather does not come back.
    for (const int other : {count_, (count_ + 2) / 3}) {
      allgather(other);
      alltoall(other);
    }
    if (type_.handle == MPI_INT && count_ > 0) allreduce();
    allgatherv();
    alltoallv();
    alltoallw();
    if (count_ > 0) derived_types();  // nor where an item is of nothing
  }

 private:
  [[nodiscard]] Case make(const char* what, std::size_t received,
                          bool same_everywhere = false) const {
    Case made;
    made.name = std::string(what) + " of " + name_;
    made.comm = sides_.local();
    made.receive = room(type_, received);
    made.floating = type_.floating;
    made.is_double = type_.size == sizeof(double);
    made.same_everywhere = same_everywhere;
    return made;
  }

  [[nodiscard]] std::vector<unsigned char> own_values(std::size_t count, int salt = 0) const {
    const int number = sides_.number() + salt;
    return type_.handle == MPI_BYTE ? noise(count, number) : values(type_, count, number);
  }
  [[nodiscard]] std::size_t times(int ranks, int count) const {
    return static_cast<std::size_t>(ranks) * static_cast<std::size_t>(count);
  }

  // The rest of the root's group says nothing of what is sent.
  void bcast(bool from_first, int root) {
    const bool receives = from_first != sides_.is_first;
    const bool sends = !receives && sides_.rank == root;
    std::vector<unsigned char> sent = own_values(times(1, count_), root);
    const std::vector<unsigned char> before = sent;
    checker_.check(make("Bcast", times(1, count_), true), [&](void* receive) {
      void* const buffer = sends ? sent.data() : receives ? receive : nullptr;
      const int argument = receives ? root : sends ? MPI_ROOT : MPI_PROC_NULL;
      const int items = receives || sends ? count_ : 0;
      MPI_Bcast(buffer, items, type_.handle, argument, sides_.between());
      if (sent != before) std::memset(receive, 0, 64);
    });
  }

  // The first side sends count_ values to each, the other side `other`.
  void allgather(int other) {
    const int out = sides_.is_first ? count_ : other;
    const int in = sides_.is_first ? other : count_;
    const std::vector<unsigned char> sent = own_values(times(1, out));
    checker_.check(make("Allgather", times(sides_.others, in), true), [&](void* receive) {
      call(way_, MPI_Allgather, MPI_Iallgather, sent.data(), out, type_.handle, receive, in,
           type_.handle, sides_.between());
    });
  }

  void alltoall(int other) {
    const int out = sides_.is_first ? count_ : other;
    const int in = sides_.is_first ? other : count_;
    const std::vector<unsigned char> sent = own_values(times(sides_.others, out));
    checker_.check(make("Alltoall", times(sides_.others, in)), [&](void* receive) {
      call(way_, MPI_Alltoall, MPI_Ialltoall, sent.data(), out, type_.handle, receive, in,
           type_.handle, sides_.between());
    });
  }

  // A rank has as many values for each as its place in a layout of its group says.
  void allgatherv() {
    const Layout in = uneven(sides_.others, count_);
    const int out = uneven(sides_.ranks, count_).counts[static_cast<std::size_t>(sides_.rank)];
    const std::vector<unsigned char> sent = own_values(times(1, out));
    checker_.check(
        make("Allgatherv", static_cast<std::size_t>(in.total), true), [&](void* receive) {
          call(way_, MPI_Allgatherv, MPI_Iallgatherv, sent.data(), out, type_.handle, receive,
               in.counts.data(), in.places.data(), type_.handle, sides_.between());
        });
  }

  // Each side gets what the other one adds up, whatever has been compressed between them before.
  void allreduce() {
    const std::vector<unsigned char> sent = own_values(times(1, count_));
    checker_.check(make("Allreduce", times(1, count_), true), [&](void* receive) {
      call(way_, MPI_Allreduce, MPI_Iallreduce, sent.data(), receive, count_, MPI_INT, MPI_SUM,
           sides_.between());
    });
  }

  void alltoallv() {
    const Layout in = uneven(sides_.others, count_);
    const Layout out = to_others();
    const std::vector<unsigned char> sent = own_values(static_cast<std::size_t>(out.total));
    checker_.check(make("Alltoallv", static_cast<std::size_t>(in.total)), [&](void* receive) {
      call(way_, MPI_Alltoallv, MPI_Ialltoallv, sent.data(), out.counts.data(), out.places.data(),
           type_.handle, receive, in.counts.data(), in.places.data(), type_.handle,
           sides_.between());
    });
  }

  void alltoallw() {
    const Layout in = uneven(sides_.others, count_);
    const Layout out = to_others();
    const std::vector<MPI_Datatype> each(static_cast<std::size_t>(sides_.others), type_.handle);
    const std::vector<int> in_places = in_bytes(in.places);
    const std::vector<int> out_places = in_bytes(out.places);
    const std::vector<unsigned char> sent = own_values(static_cast<std::size_t>(out.total));
    checker_.check(make("Alltoallw", static_cast<std::size_t>(in.total)), [&](void* receive) {
      call(way_, MPI_Alltoallw, MPI_Ialltoallw, sent.data(), out.counts.data(), out_places.data(),
           each.data(), receive, in.counts.data(), in_places.data(), each.data(), sides_.between());
    });
  }

  [[nodiscard]] Layout to_others() const {
    const Layout own = uneven(sides_.ranks, count_);
    const int out = own.counts[static_cast<std::size_t>(sides_.rank)];
    Layout made;
    for (int i = 0; i < sides_.others; ++i) {
      made.counts.push_back(out);
      made.places.push_back(made.total);
      made.total += out + 1;
    }
    return made;
  }
  [[nodiscard]] std::vector<int> in_bytes(std::vector<int> places) const {
    for (int& place : places) place *= static_cast<int>(type_.size);
    return places;
  }

  // Every second value on one side of each message, all of them on the other.
  void derived_types() {
    MPI_Datatype strided = MPI_DATATYPE_NULL;
    MPI_Datatype spread = MPI_DATATYPE_NULL;
    MPI_Type_vector(count_, 1, 2, type_.handle, &strided);
    const auto extent = static_cast<MPI_Aint>(2 * times(1, count_) * type_.size);
    MPI_Type_create_resized(strided, 0, extent, &spread);
    MPI_Type_commit(&spread);
    const std::size_t room_of_all = 2 * times(sides_.others, count_);
    const std::vector<unsigned char> dense = own_values(times(sides_.others, count_));
    const std::vector<unsigned char> sparse = own_values(room_of_all);
    checker_.check(make("Allgather into a derived type", room_of_all, true), [&](void* receive) {
      call(way_, MPI_Allgather, MPI_Iallgather, dense.data(), count_, type_.handle, receive, 1,
           spread, sides_.between());
    });
    checker_.check(make("Allgather from a derived type", room_of_all, true), [&](void* receive) {
      call(way_, MPI_Allgather, MPI_Iallgather, sparse.data(), 1, spread, receive, count_,
           type_.handle, sides_.between());
    });
    checker_.check(make("Alltoall between derived types", room_of_all), [&](void* receive) {
      call(way_, MPI_Alltoall, MPI_Ialltoall, sparse.data(), 1, spread, receive, 1, spread,
           sides_.between());
    });
    MPI_Type_free(&strided);
    MPI_Type_free(&spread);
  }

  Checker& checker_;
  const Sides& sides_;
  const Type& type_;
  int count_;
  Way way_;
  std::string name_;
};

// Until then those that return at once go to MPI.
void meet(const Checker& checker, const Sides& sides) {
  const std::vector<double> sent(4000, 1.5);
  std::vector<double> received(sent.size() * static_cast<std::size_t>(sides.others));
  checker.tested_mode();
  MPI_Allgather(sent.data(), 4000, MPI_DOUBLE, received.data(), 4000, MPI_DOUBLE, sides.between());
  checker.reference_mode();
}

void check_sides(Checker& checker, const Sides& sides, Way way, const std::string& where) {
  if (way == Way::at_once) meet(checker, sides);
  std::vector<Type> all(std::begin(types), std::end(types));
  all.push_back(noisy);
  for (const Type& type : all) {
    for (const int count : {0, 1, 1000, 20000}) {
      const std::string name = std::to_string(count) + " " + type.name + where;
      Crossing(checker, sides, type, count, way, name).all();
    }
  }
}

// A third of the ranks, and every third one; with the rest on the other side.
void check_both(Checker& checker, MPI_Comm comm, Way way, const std::string& name) {
  const Group all(comm);
  if (all.ranks < 2) return;
  const int third = (all.ranks + 2) / 3;
  check_sides(checker, Sides(comm, all.rank < third), way, " from a third of " + name);
  check_sides(checker, Sides(comm, all.rank % 3 == 1), way, " from every third of " + name);
}

}  // namespace

void check_between_groups(Checker& checker, MPI_Comm comm, const std::string& comm_name) {
  check_both(checker, comm, Way::blocking, comm_name);
}

void check_between_groups_at_once(Checker& checker, MPI_Comm comm, const std::string& comm_name) {
  check_both(checker, comm, Way::at_once, comm_name);
}

}  // namespace operations
