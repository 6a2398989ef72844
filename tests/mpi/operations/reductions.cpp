// Reduce_scatter, Reduce_scatter_block, Scan and Exscan.
#include "reductions.h"

#include <cstring>
#include <string>
#include <vector>

#include "data.h"

namespace operations {
namespace {

struct Op {
  const char* name;
  MPI_Op handle;
};

class Reductions {
 public:
  Reductions(Checker& checker, MPI_Comm comm, const Type& type, const Op& op, int count,
             std::string name)
      : checker_(checker),
        comm_(comm),
        type_(type),
        op_(op),
        count_(count),
        name_(std::move(name)) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &ranks_);
  }

  void all() {
    scatter_block();
    scatter_uneven();
    scatter_to_one();
    scan();
    exscan();
  }

 private:
  [[nodiscard]] Case make(const char* what, std::vector<unsigned char> receive) const {
    Case made;
    made.name = std::string(what) + " " + op_.name + " of " + name_;
    made.comm = comm_;
    made.receive = std::move(receive);
    made.floating = type_.floating;
    made.is_double = type_.size == sizeof(double);
    made.computes = true;
    return made;
  }

  [[nodiscard]] std::vector<unsigned char> own(int count) const {
    return values(type_, static_cast<std::size_t>(count), rank_);
  }
  [[nodiscard]] std::vector<unsigned char> room_for(int count) const {
    return room(type_, static_cast<std::size_t>(count));
  }
  // The receive buffer of a call in place; what the call leaves behind the result is undefined.
  [[nodiscard]] std::vector<unsigned char> in_place(int count) const {
    std::vector<unsigned char> buffer = room_for(count);
    const std::vector<unsigned char> mine = own(count);
    if (!mine.empty()) std::memcpy(buffer.data(), mine.data(), mine.size());
    return buffer;
  }

  // In the adaptive modes: what rounds, without a bound on it.
  [[nodiscard]] bool is_left_to_mpi() const {
    const bool sum_within_bound = op_.handle == MPI_SUM && checker_.bound() > 0;
    const bool rounds = type_.floating && (op_.handle == MPI_SUM || op_.handle == MPI_PROD);
    return checker_.mode() != "exact" && rounds && !sum_within_bound;
  }

  void scatter_block() {
    const std::vector<unsigned char> send = own(count_ * ranks_);
    checker_.check(make("Reduce_scatter_block", room_for(count_)), [&](void* receive) {
      MPI_Reduce_scatter_block(send.data(), receive, count_, type_.handle, op_.handle, comm_);
    });
    checker_.check(make("Reduce_scatter_block in place", room_for(count_)), [&](void* receive) {
      std::vector<unsigned char> buffer = in_place(count_ * ranks_);
      MPI_Reduce_scatter_block(MPI_IN_PLACE, buffer.data(), count_, type_.handle, op_.handle,
                               comm_);
      std::memcpy(receive, buffer.data(), static_cast<std::size_t>(count_) * type_.size);
    });
  }

  void scatter_uneven() {
    std::vector<int> counts;
    int total = 0;
    for (int i = 0; i < ranks_; ++i) {
      counts.push_back(i % 3 == 1 ? 0 : count_ + i);
      total += counts.back();
    }
    const int mine = counts[static_cast<std::size_t>(rank_)];
    const std::vector<unsigned char> send = own(total);
    const auto plain = [&](void* receive) {
      MPI_Reduce_scatter(send.data(), receive, counts.data(), type_.handle, op_.handle, comm_);
    };
    checker_.check(make("Reduce_scatter", room_for(mine)), plain);
    // MPICH 4.0.2 in place copies overlapping memory where the counts are uneven, and aborts.
    if (is_left_to_mpi()) return;
    checker_.check(make("Reduce_scatter in place", room_for(mine)), plain, [&](void* receive) {
      std::vector<unsigned char> buffer = in_place(total);
      MPI_Reduce_scatter(MPI_IN_PLACE, buffer.data(), counts.data(), type_.handle, op_.handle,
                         comm_);
      std::memcpy(receive, buffer.data(), static_cast<std::size_t>(mine) * type_.size);
    });
  }

  void scatter_to_one() {
    std::vector<int> counts(static_cast<std::size_t>(ranks_), 0);
    counts.back() = count_;
    const int mine = counts[static_cast<std::size_t>(rank_)];
    const std::vector<unsigned char> send = own(count_);
    checker_.check(make("Reduce_scatter to one", room_for(mine)), [&](void* receive) {
      MPI_Reduce_scatter(send.data(), receive, counts.data(), type_.handle, op_.handle, comm_);
    });
  }

  void scan() {
    const std::vector<unsigned char> send = own(count_);
    checker_.check(make("Scan", room_for(count_)), [&](void* receive) {
      MPI_Scan(send.data(), receive, count_, type_.handle, op_.handle, comm_);
    });
    checker_.check(make("Scan in place", in_place(count_)), [&](void* receive) {
      MPI_Scan(MPI_IN_PLACE, receive, count_, type_.handle, op_.handle, comm_);
    });
  }

  // Rank 0's result is undefined.
  void exscan() {
    const std::vector<unsigned char> send = own(count_);
    std::vector<unsigned char> unused(send.size() + 64);
    checker_.check(make("Exscan", room_for(count_)), [&](void* receive) {
      MPI_Exscan(send.data(), rank_ == 0 ? unused.data() : receive, count_, type_.handle,
                 op_.handle, comm_);
    });
    checker_.check(make("Exscan in place", in_place(count_)), [&](void* receive) {
      std::vector<unsigned char> mine = in_place(count_);
      MPI_Exscan(MPI_IN_PLACE, rank_ == 0 ? mine.data() : receive, count_, type_.handle, op_.handle,
                 comm_);
    });
  }

  Checker& checker_;
  MPI_Comm comm_;
  const Type& type_;
  const Op& op_;
  int count_;
  std::string name_;
  int rank_ = 0;
  int ranks_ = 0;
};

}  // namespace

void check_reductions(Checker& checker, MPI_Comm comm, const std::string& comm_name) {
  const Op ops[] = {{"sum", MPI_SUM}, {"min", MPI_MIN}, {"max", MPI_MAX}, {"product", MPI_PROD}};
  for (const Type& type : types) {
    for (const Op& op : ops) {
      for (const int count : {0, 1, 1000, 20000}) {
        const std::string name = std::to_string(count) + " " + type.name + " on " + comm_name;
        Reductions(checker, comm, type, op, count, name).all();
      }
    }
  }
}

}  // namespace operations
