// Gather, Scatter, Allgather, Alltoall and their v-forms; in place and with derived types.
#include "movement.h"

#include <string>

#include "data.h"
#include "group.h"

namespace operations {
namespace {

std::vector<unsigned char> overlaid(std::vector<unsigned char> under,
                                    const std::vector<unsigned char>& over, std::size_t at) {
  std::copy(over.begin(), over.end(), under.begin() + static_cast<std::ptrdiff_t>(at));
  return under;
}

class Movement {
 public:
  Movement(Checker& checker, const Group& group, const Type& type, int count, std::string name)
      : checker_(checker),
        group_(group),
        type_(type),
        count_(count),
        name_(std::move(name)),
        ranks_(static_cast<std::size_t>(group.ranks)),
        n_(static_cast<std::size_t>(count)),
        own_(values(type, n_, group.rank)),
        for_all_(values(type, n_ * ranks_, group.rank)),
        layout_(uneven(group.ranks, count)) {}

  void all(int root) {
    gather(root);
    gather_in_place(root);
    gatherv(root);
    scatter(root);
    scatterv(root);
    if (root != 0) return;
    allgather();
    allgather_in_place();
    allgatherv();
    alltoall();
    alltoallv();
    alltoallw();
    uneven_in_place();
    derived_types();
  }

 private:
  [[nodiscard]] Case make(const char* what, std::vector<unsigned char> receive,
                          bool same_everywhere = false) const {
    Case made;
    made.name = std::string(what) + " of " + name_;
    made.comm = group_.comm;
    made.receive = std::move(receive);
    made.floating = type_.floating;
    made.is_double = type_.size == sizeof(double);
    made.same_everywhere = same_everywhere;
    return made;
  }

  [[nodiscard]] bool at(int root) const { return group_.rank == root; }
  [[nodiscard]] std::vector<unsigned char> room_for_all() const { return room(type_, n_ * ranks_); }
  [[nodiscard]] std::vector<unsigned char> room_for_layout() const {
    return room(type_, static_cast<std::size_t>(layout_.total));
  }
  [[nodiscard]] int own_count() const {
    return layout_.counts[static_cast<std::size_t>(group_.rank)];
  }

  void gather(int root) {
    checker_.check(make("Gather", room_for_all()), [&](void* receive) {
      MPI_Gather(own_.data(), count_, type_.handle, receive, count_, type_.handle, root,
                 group_.comm);
    });
  }

  void gather_in_place(int root) {
    const std::size_t place = static_cast<std::size_t>(root) * n_ * type_.size;
    checker_.check(make("Gather in place", overlaid(room_for_all(), own_, place)),
                   [&](void* receive) {
                     MPI_Gather(at(root) ? MPI_IN_PLACE : own_.data(), count_, type_.handle,
                                receive, count_, type_.handle, root, group_.comm);
                   });
  }

  void gatherv(int root) {
    const std::vector<unsigned char> mine =
        values(type_, static_cast<std::size_t>(own_count()), group_.rank);
    checker_.check(make("Gatherv", room_for_layout()), [&](void* receive) {
      MPI_Gatherv(mine.data(), own_count(), type_.handle, receive, layout_.counts.data(),
                  layout_.places.data(), type_.handle, root, group_.comm);
    });
  }

  void scatter(int root) {
    checker_.check(make("Scatter", room(type_, n_)), [&](void* receive) {
      MPI_Scatter(for_all_.data(), count_, type_.handle, receive, count_, type_.handle, root,
                  group_.comm);
    });
    checker_.check(make("Scatter in place", room(type_, n_)), [&](void* receive) {
      MPI_Scatter(for_all_.data(), count_, type_.handle, at(root) ? MPI_IN_PLACE : receive, count_,
                  type_.handle, root, group_.comm);
    });
  }

  void scatterv(int root) {
    const std::vector<unsigned char> send =
        values(type_, static_cast<std::size_t>(layout_.total), group_.rank);
    checker_.check(
        make("Scatterv", room(type_, static_cast<std::size_t>(own_count()))), [&](void* receive) {
          MPI_Scatterv(send.data(), layout_.counts.data(), layout_.places.data(), type_.handle,
                       receive, own_count(), type_.handle, root, group_.comm);
        });
  }

  void allgather() {
    checker_.check(make("Allgather", room_for_all(), true), [&](void* receive) {
      MPI_Allgather(own_.data(), count_, type_.handle, receive, count_, type_.handle, group_.comm);
    });
  }

  void allgather_in_place() {
    const std::size_t place = static_cast<std::size_t>(group_.rank) * n_ * type_.size;
    checker_.check(make("Allgather in place", overlaid(room_for_all(), own_, place), true),
                   [&](void* receive) {
                     MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, receive, count_,
                                   type_.handle, group_.comm);
                   });
  }

  void allgatherv() {
    const std::vector<unsigned char> mine =
        values(type_, static_cast<std::size_t>(own_count()), group_.rank);
    checker_.check(make("Allgatherv", room_for_layout(), true), [&](void* receive) {
      MPI_Allgatherv(mine.data(), own_count(), type_.handle, receive, layout_.counts.data(),
                     layout_.places.data(), type_.handle, group_.comm);
    });
  }

  void alltoall() {
    checker_.check(make("Alltoall", room_for_all()), [&](void* receive) {
      MPI_Alltoall(for_all_.data(), count_, type_.handle, receive, count_, type_.handle,
                   group_.comm);
    });
    checker_.check(make("Alltoall in place", overlaid(room_for_all(), for_all_, 0)),
                   [&](void* receive) {
                     MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, receive, count_, type_.handle,
                                  group_.comm);
                   });
  }

  // A rank sends to every rank as many values as its own place in the layout says.
  void alltoallv() {
    const std::vector<int> counts(ranks_, own_count());
    std::vector<int> places(ranks_, 0);
    for (std::size_t i = 1; i < ranks_; ++i) places[i] = places[i - 1] + own_count();
    const std::vector<unsigned char> send =
        values(type_, ranks_ * static_cast<std::size_t>(own_count()), group_.rank);
    checker_.check(make("Alltoallv", room_for_layout()), [&](void* receive) {
      MPI_Alltoallv(send.data(), counts.data(), places.data(), type_.handle, receive,
                    layout_.counts.data(), layout_.places.data(), type_.handle, group_.comm);
    });
  }

  // As Alltoallv, but every second block is of every second value, on one side or the other.
  void alltoallw() {
    const MPI_Datatype spread = spread_type();
    const Blocks from = blocks([&](int) { return own_count(); }, spread, 0);
    const Blocks to = blocks([&](int rank) { return layout_.counts[at_rank(rank)]; }, spread, 1);
    const std::vector<unsigned char> send = values(type_, from.room, group_.rank);
    checker_.check(make("Alltoallw", room(type_, to.room)), [&](void* receive) {
      MPI_Alltoallw(send.data(), from.counts.data(), from.places.data(), from.types.data(), receive,
                    to.counts.data(), to.places.data(), to.types.data(), group_.comm);
    });
    MPI_Datatype freed = spread;
    MPI_Type_free(&freed);
  }

  // Two ranks exchange as much in both directions.
  void uneven_in_place() {
    const auto shared = [&](int rank) {
      return (rank + group_.rank) % 3 == 2
                 ? 0
                 : count_ / (1 + (rank + group_.rank) % 3) + rank + group_.rank;
    };
    const MPI_Datatype spread = spread_type();
    const Blocks all = blocks(shared, spread, 1);
    std::vector<int> items;
    for (const int place : all.places) items.push_back(place / static_cast<int>(type_.size));
    const std::vector<unsigned char> under =
        overlaid(room(type_, all.room), values(type_, all.room, group_.rank), 0);
    checker_.check(make("Alltoallv in place", under), [&](void* receive) {
      MPI_Alltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL, receive, all.counts.data(),
                    items.data(), type_.handle, group_.comm);
    });
    checker_.check(make("Alltoallw in place", under), [&](void* receive) {
      MPI_Alltoallw(MPI_IN_PLACE, nullptr, nullptr, nullptr, receive, all.counts.data(),
                    all.places.data(), all.types.data(), group_.comm);
    });
    MPI_Datatype freed = spread;
    MPI_Type_free(&freed);
  }

  // A block for each rank, as Alltoallw names them: displacements in bytes.
  struct Blocks {
    std::vector<int> counts;
    std::vector<int> places;
    std::vector<MPI_Datatype> types;
    std::size_t room = 0;  // in values
  };
  template <class CountOf>
  [[nodiscard]] Blocks blocks(CountOf&& count_of, MPI_Datatype spread, int odd) const {
    Blocks made;
    for (int rank = 0; rank < group_.ranks; ++rank) {
      made.counts.push_back(count_of(rank));
      made.types.push_back((rank + group_.rank + odd) % 2 == 0 ? type_.handle : spread);
      made.places.push_back(static_cast<int>(made.room * type_.size));
      made.room += 2 * static_cast<std::size_t>(made.counts.back()) + 3;
    }
    return made;
  }
  static std::size_t at_rank(int rank) { return static_cast<std::size_t>(rank); }
  // One value, and room for another.
  [[nodiscard]] MPI_Datatype spread_type() const {
    MPI_Datatype vector = MPI_DATATYPE_NULL;
    MPI_Datatype spread = MPI_DATATYPE_NULL;
    MPI_Type_vector(1, 1, 2, type_.handle, &vector);
    MPI_Type_create_resized(vector, 0, static_cast<MPI_Aint>(2 * type_.size), &spread);
    MPI_Type_commit(&spread);
    MPI_Type_free(&vector);
    return spread;
  }

  // Every second value on one side, all of them on the other.
  void derived_types() {
    MPI_Datatype spread = MPI_DATATYPE_NULL;
    MPI_Datatype strided = MPI_DATATYPE_NULL;
    MPI_Type_vector(count_, 1, 2, type_.handle, &strided);
    const auto extent = static_cast<MPI_Aint>(2 * n_ * type_.size);
    MPI_Type_create_resized(strided, 0, extent, &spread);
    MPI_Type_commit(&spread);
    const std::vector<unsigned char> sparse = values(type_, 2 * n_ * ranks_, group_.rank);

    checker_.check(
        make("Allgather into a derived type", room(type_, 2 * n_ * ranks_)), [&](void* receive) {
          MPI_Allgather(own_.data(), count_, type_.handle, receive, 1, spread, group_.comm);
        });
    checker_.check(make("Alltoall from a derived type", room_for_all()), [&](void* receive) {
      MPI_Alltoall(sparse.data(), 1, spread, receive, count_, type_.handle, group_.comm);
    });
    checker_.check(make("Gather between derived types", room(type_, 2 * n_ * ranks_)),
                   [&](void* receive) {
                     MPI_Gather(sparse.data(), 1, spread, receive, 1, spread, 0, group_.comm);
                   });
    MPI_Type_free(&strided);
    MPI_Type_free(&spread);
  }

  Checker& checker_;
  const Group& group_;
  const Type& type_;
  int count_;
  std::string name_;
  std::size_t ranks_;
  std::size_t n_;
  std::vector<unsigned char> own_;
  std::vector<unsigned char> for_all_;
  Layout layout_;
};

}  // namespace

void check_movement(Checker& checker, MPI_Comm comm, const std::string& comm_name) {
  const Group group(comm);
  for (const Type& type : types) {
    for (const int count : {0, 1, 1000, 20000}) {
      const std::string name = std::to_string(count) + " " + type.name + " on " + comm_name;
      Movement movement(checker, group, type, count, name);
      movement.all(0);
      if (group.ranks > 1) movement.all(group.ranks - 1);
    }
  }
}

}  // namespace operations
