#include "large_counts.h"

#include <algorithm>
#include <vector>

#include "data.h"
#include "group.h"

namespace operations {

#if MPI_VERSION >= 4

namespace {

class LargeCounts {
 public:
  LargeCounts(Checker& checker, const Group& group, const Type& type, int count, std::string name)
      : checker_(checker),
        group_(group),
        type_(type),
        count_(count),
        name_(std::move(name)),
        layout_(uneven(group.ranks, count)),
        counts_(layout_.counts.begin(), layout_.counts.end()),
        places_(layout_.places.begin(), layout_.places.end()),
        mine_(counts_[static_cast<std::size_t>(group.rank)]) {}

  void all() {
    movement();
    uneven_movement();
    alltoallv();
    alltoallw();
    reductions();
  }

 private:
  [[nodiscard]] Case make(const char* what, MPI_Count count, bool computes = false) const {
    Case made;
    made.name = std::string(what) + " of " + name_;
    made.comm = group_.comm;
    made.receive = room(type_, static_cast<std::size_t>(count));
    made.floating = type_.floating;
    made.is_double = type_.size == sizeof(double);
    made.computes = computes;
    return made;
  }
  [[nodiscard]] std::vector<unsigned char> own(MPI_Count count) const {
    return values(type_, static_cast<std::size_t>(count), group_.rank);
  }

  void movement() {
    const MPI_Datatype t = type_.handle;
    const std::vector<unsigned char> send = own(count_ * group_.ranks);
    Case bcast = make("Bcast_c", count_);
    if (group_.rank == 0) std::copy_n(send.begin(), count_ * type_.size, bcast.receive.begin());
    checker_.check(bcast, [&](void* b) { MPI_Bcast_c(b, count_, t, 0, group_.comm); });
    checker_.check(make("Gather_c", count_ * group_.ranks), [&](void* b) {
      MPI_Gather_c(send.data(), count_, t, b, count_, t, 0, group_.comm);
    });
    checker_.check(make("Scatter_c", count_), [&](void* b) {
      MPI_Scatter_c(send.data(), count_, t, b, count_, t, 0, group_.comm);
    });
    checker_.check(make("Allgather_c", count_ * group_.ranks), [&](void* b) {
      MPI_Allgather_c(send.data(), count_, t, b, count_, t, group_.comm);
    });
    checker_.check(make("Alltoall_c", count_ * group_.ranks), [&](void* b) {
      MPI_Alltoall_c(send.data(), count_, t, b, count_, t, group_.comm);
    });
  }

  void uneven_movement() {
    const MPI_Datatype t = type_.handle;
    const std::vector<unsigned char> send = own(layout_.total);
    checker_.check(make("Gatherv_c", layout_.total), [&](void* b) {
      MPI_Gatherv_c(send.data(), mine_, t, b, counts_.data(), places_.data(), t, 0, group_.comm);
    });
    checker_.check(make("Scatterv_c", mine_), [&](void* b) {
      MPI_Scatterv_c(send.data(), counts_.data(), places_.data(), t, b, mine_, t, 0, group_.comm);
    });
    checker_.check(make("Allgatherv_c", layout_.total), [&](void* b) {
      MPI_Allgatherv_c(send.data(), mine_, t, b, counts_.data(), places_.data(), t, group_.comm);
    });
  }

  // A rank sends to every rank as many values as its own place in the layout says.
  void alltoallv() {
    const MPI_Datatype t = type_.handle;
    const auto ranks = static_cast<std::size_t>(group_.ranks);
    const std::vector<MPI_Count> send_counts(ranks, mine_);
    std::vector<MPI_Aint> send_places(ranks, 0);
    for (std::size_t i = 1; i < ranks; ++i) {
      send_places[i] = send_places[i - 1] + static_cast<MPI_Aint>(mine_);
    }
    const std::vector<unsigned char> send = own(mine_ * group_.ranks);
    checker_.check(make("Alltoallv_c", layout_.total), [&](void* b) {
      MPI_Alltoallv_c(send.data(), send_counts.data(), send_places.data(), t, b, counts_.data(),
                      places_.data(), t, group_.comm);
    });
  }

  // Displacements in bytes.
  void alltoallw() {
    const auto ranks = static_cast<std::size_t>(group_.ranks);
    const auto size = static_cast<MPI_Aint>(type_.size);
    const std::vector<MPI_Count> send_counts(ranks, mine_);
    const std::vector<MPI_Datatype> all(ranks, type_.handle);
    std::vector<MPI_Aint> send_places(ranks, 0);
    for (std::size_t i = 1; i < ranks; ++i) {
      send_places[i] = send_places[i - 1] + size * static_cast<MPI_Aint>(mine_);
    }
    std::vector<MPI_Aint> receive_places = places_;
    for (MPI_Aint& place : receive_places) place *= size;
    const std::vector<unsigned char> send = own(mine_ * group_.ranks);
    checker_.check(make("Alltoallw_c", layout_.total), [&](void* b) {
      MPI_Alltoallw_c(send.data(), send_counts.data(), send_places.data(), all.data(), b,
                      counts_.data(), receive_places.data(), all.data(), group_.comm);
    });
  }

  void reductions() {
    const MPI_Datatype t = type_.handle;
    const std::vector<unsigned char> send = own(layout_.total + count_ * group_.ranks);
    checker_.check(make("Allreduce_c", count_, true), [&](void* b) {
      MPI_Allreduce_c(send.data(), b, count_, t, MPI_SUM, group_.comm);
    });
    checker_.check(make("Reduce_c", count_, true), [&](void* b) {
      MPI_Reduce_c(send.data(), b, count_, t, MPI_SUM, 0, group_.comm);
    });
    checker_.check(make("Scan_c", count_, true),
                   [&](void* b) { MPI_Scan_c(send.data(), b, count_, t, MPI_SUM, group_.comm); });
    checker_.check(make("Reduce_scatter_c", mine_, true), [&](void* b) {
      MPI_Reduce_scatter_c(send.data(), b, counts_.data(), t, MPI_SUM, group_.comm);
    });
    checker_.check(make("Reduce_scatter_block_c", count_, true), [&](void* b) {
      MPI_Reduce_scatter_block_c(send.data(), b, count_, t, MPI_SUM, group_.comm);
    });
  }

  Checker& checker_;
  const Group& group_;
  const Type& type_;
  MPI_Count count_;
  std::string name_;
  Layout layout_;
  std::vector<MPI_Count> counts_;
  std::vector<MPI_Aint> places_;
  MPI_Count mine_;
};

}  // namespace

void check_large_counts(Checker& checker, MPI_Comm comm, const std::string& comm_name) {
  const Group group(comm);
  for (const Type& type : types) {
    for (const int count : {0, 1000, 20000}) {
      const std::string name = std::to_string(count) + " " + type.name + " on " + comm_name;
      LargeCounts(checker, group, type, count, name).all();
    }
  }
}

#else

void check_large_counts(Checker&, MPI_Comm, const std::string&) {}

#endif

}  // namespace operations
