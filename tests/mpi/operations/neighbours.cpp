// The collectives among neighbours, on every topology: blocks of one size and of many, in types of
// their own.
#include "neighbours.h"

#include <iterator>
#include <map>
#include <vector>

#include "data.h"
#include "group.h"
#include "topologies.h"

namespace operations {
namespace {

// Where the blocks of one side lie, some of them of every second value.
struct Side {
  std::vector<int> counts;
  std::vector<int> places;  // in values
  std::vector<MPI_Aint> bytes;
  std::vector<MPI_Datatype> types;
  int room = 0;
};

class Exchange {
 public:
  Exchange(Checker& checker, const Topology& topology, const Type& type, int count)
      : checker_(checker),
        topology_(topology),
        in_(topology.neighbours.sources),
        out_(topology.neighbours.destinations),
        type_(type),
        count_(count) {
    MPI_Comm_rank(topology.comm, &rank_);
    MPI_Type_vector(1, 1, 2, type.handle, &vector_);
    MPI_Type_create_resized(vector_, 0, static_cast<MPI_Aint>(2 * type.size), &spread_);
    MPI_Type_commit(&spread_);
  }
  ~Exchange() {
    MPI_Type_free(&vector_);
    MPI_Type_free(&spread_);
  }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  void all() {
    allgather();
    allgatherv();
    alltoall();
    alltoallv();
    alltoallw();
    derived_type();
#if MPI_VERSION >= 4
    large_counts();
#endif
  }

 private:
  [[nodiscard]] Case make(const char* what, std::size_t items) const {
    Case made;
    made.name = std::string("Neighbor_") + what + " of " + std::to_string(count_) + " " +
                type_.name + " on " + topology_.name;
    made.comm = topology_.comm;
    made.receive = room(type_, items);
    made.floating = type_.floating;
    made.is_double = type_.size == sizeof(double);
    return made;
  }
  [[nodiscard]] std::size_t times(const std::vector<int>& ranks) const {
    return ranks.size() * static_cast<std::size_t>(count_);
  }

  // Of a message from one rank to another; several between them differ where it is known which
  // meets which.
  [[nodiscard]] int count_of(int from, int to, int place) const {
    if (from == MPI_PROC_NULL || to == MPI_PROC_NULL) return 5;
    if ((from + to) % 4 == 3) return 0;
    const int part = topology_.paired_in_order ? 1 + (from + 2 * to + place) % 3 : 1 + from % 3;
    return count_ / part + from;
  }

  // Of this rank's messages; blocks lie in no order, with gaps between them.
  [[nodiscard]] Side side(const std::vector<int>& ranks, bool sending, bool spread) const {
    Side made;
    std::map<int, int> seen;
    made.places.resize(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const int place = seen[ranks[i]]++;
      made.counts.push_back(sending ? count_of(rank_, ranks[i], place)
                                    : count_of(ranks[i], rank_, place));
      const bool wide = spread && i % 2 == (sending ? 0 : 1);
      made.types.push_back(wide ? spread_ : type_.handle);
    }
    for (std::size_t i = ranks.size(); i-- > 0;) {
      made.places[i] = made.room;
      made.room += made.counts[i] * (made.types[i] == spread_ ? 2 : 1) + 3;
    }
    for (const int place : made.places) {
      made.bytes.push_back(place * static_cast<MPI_Aint>(type_.size));
    }
    // MPI libraries look at the first one where there is none.
    made.counts.push_back(0);
    made.places.push_back(0);
    made.bytes.push_back(0);
    made.types.push_back(type_.handle);
    return made;
  }
  // One more, so that there is an address.
  [[nodiscard]] std::vector<unsigned char> own(int items) const {
    return values(type_, static_cast<std::size_t>(items) + 1, rank_);
  }

  void allgather() {
    const std::vector<unsigned char> mine = own(count_);
    checker_.check(make("allgather", times(in_)), [&](void* receive) {
      MPI_Neighbor_allgather(mine.data(), count_, type_.handle, receive, count_, type_.handle,
                             topology_.comm);
    });
  }

  // What a rank sends to all is of its own size.
  [[nodiscard]] int gathered(int from) const {
    return count_ / (1 + from % 3) + from;
  }
  [[nodiscard]] Side gathered_side() const {
    Side made = side(in_, false, false);
    for (std::size_t i = 0; i < in_.size(); ++i) {
      made.counts[i] = in_[i] == MPI_PROC_NULL ? 1 : gathered(in_[i]);
      made.places[i] = made.room;
      made.room += made.counts[i] + 3;
    }
    return made;
  }

  void allgatherv() {
    const std::vector<unsigned char> mine = own(gathered(rank_));
    const Side to = gathered_side();
    checker_.check(make("allgatherv", static_cast<std::size_t>(to.room)), [&](void* receive) {
      MPI_Neighbor_allgatherv(mine.data(), gathered(rank_), type_.handle, receive, to.counts.data(),
                              to.places.data(), type_.handle, topology_.comm);
    });
  }

  void alltoall() {
    const std::vector<unsigned char> mine = own(static_cast<int>(times(out_)));
    checker_.check(make("alltoall", times(in_)), [&](void* receive) {
      MPI_Neighbor_alltoall(mine.data(), count_, type_.handle, receive, count_, type_.handle,
                            topology_.comm);
    });
  }

  void alltoallv() {
    const Side from = side(out_, true, false);
    const Side to = side(in_, false, false);
    const std::vector<unsigned char> mine = own(from.room);
    checker_.check(make("alltoallv", static_cast<std::size_t>(to.room)), [&](void* receive) {
      MPI_Neighbor_alltoallv(mine.data(), from.counts.data(), from.places.data(), type_.handle,
                             receive, to.counts.data(), to.places.data(), type_.handle,
                             topology_.comm);
    });
  }

  void alltoallw() {
    const Side from = side(out_, true, true);
    const Side to = side(in_, false, true);
    const std::vector<unsigned char> mine = own(from.room);
    const auto call = [&](void* receive) {
      MPI_Neighbor_alltoallw(mine.data(), from.counts.data(), from.bytes.data(), from.types.data(),
                             receive, to.counts.data(), to.bytes.data(), to.types.data(),
                             topology_.comm);
    };
    const auto reference = [&](void* receive) {
      if (topology_.paired_in_order) return by_messages(mine.data(), from, receive, to);
      call(receive);
    };
    checker_.check(make("alltoallw", static_cast<std::size_t>(to.room)), reference, call);
  }

  // MPICH 4.0's alltoallw fails where ranks have not as many sources as destinations.
  void by_messages(const unsigned char* send, const Side& from, void* receive,
                   const Side& to) const {
    std::vector<MPI_Request> requests;
    for (std::size_t i = 0; i < in_.size(); ++i) {
      requests.push_back(MPI_REQUEST_NULL);
      MPI_Irecv(static_cast<unsigned char*>(receive) + to.bytes[i], to.counts[i], to.types[i],
                in_[i], 0, topology_.comm, &requests.back());
    }
    for (std::size_t i = 0; i < out_.size(); ++i) {
      requests.push_back(MPI_REQUEST_NULL);
      MPI_Isend(send + from.bytes[i], from.counts[i], from.types[i], out_[i], 0, topology_.comm,
                &requests.back());
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

  // Every second value on one side, all of them on the other.
  void derived_type() {
    const std::vector<unsigned char> mine = own(2 * static_cast<int>(times(out_)) + count_);
    checker_.check(make("alltoall from a derived type", times(in_)), [&](void* receive) {
      MPI_Neighbor_alltoall(mine.data(), count_, spread_, receive, count_, type_.handle,
                            topology_.comm);
    });
    checker_.check(make("allgather into a derived type", 2 * times(in_)), [&](void* receive) {
      MPI_Neighbor_allgather(mine.data(), count_, type_.handle, receive, count_, spread_,
                             topology_.comm);
    });
  }

#if MPI_VERSION >= 4
  void large_counts() {
    const Side from = side(out_, true, true);
    const Side to = side(in_, false, true);
    const std::vector<MPI_Count> sent(from.counts.begin(), from.counts.end());
    const std::vector<MPI_Count> received(to.counts.begin(), to.counts.end());
    const std::vector<MPI_Aint> from_places(from.places.begin(), from.places.end());
    const std::vector<MPI_Aint> to_places(to.places.begin(), to.places.end());
    const std::vector<unsigned char> mine = own(from.room + static_cast<int>(times(out_)) + count_);
    const MPI_Datatype t = type_.handle;
    const MPI_Comm comm = topology_.comm;
    checker_.check(make("allgather_c", times(in_)), [&](void* b) {
      MPI_Neighbor_allgather_c(mine.data(), count_, t, b, count_, t, comm);
    });
    checker_.check(make("alltoall_c", times(in_)), [&](void* b) {
      MPI_Neighbor_alltoall_c(mine.data(), count_, t, b, count_, t, comm);
    });
    checker_.check(
        make("alltoallw_c", static_cast<std::size_t>(to.room)),
        [&](void* b) {
          if (topology_.paired_in_order) return by_messages(mine.data(), from, b, to);
          MPI_Neighbor_alltoallw(mine.data(), from.counts.data(), from.bytes.data(),
                                 from.types.data(), b, to.counts.data(), to.bytes.data(),
                                 to.types.data(), comm);
        },
        [&](void* b) {
          MPI_Neighbor_alltoallw_c(mine.data(), sent.data(), from.bytes.data(), from.types.data(),
                                   b, received.data(), to.bytes.data(), to.types.data(), comm);
        });
    const Side in = gathered_side();
    const std::vector<MPI_Count> counts(in.counts.begin(), in.counts.end());
    const std::vector<MPI_Aint> places(in.places.begin(), in.places.end());
    const std::vector<unsigned char> all = own(gathered(rank_));
    checker_.check(make("allgatherv_c", static_cast<std::size_t>(in.room)), [&](void* b) {
      MPI_Neighbor_allgatherv_c(all.data(), gathered(rank_), t, b, counts.data(), places.data(), t,
                                comm);
    });
    const Side plain_from = side(out_, true, false);
    const Side plain_to = side(in_, false, false);
    const std::vector<MPI_Aint> at(plain_from.places.begin(), plain_from.places.end());
    const std::vector<MPI_Aint> into(plain_to.places.begin(), plain_to.places.end());
    checker_.check(make("alltoallv_c", static_cast<std::size_t>(plain_to.room)), [&](void* b) {
      MPI_Neighbor_alltoallv_c(mine.data(), sent.data(), at.data(), t, b, received.data(),
                               into.data(), t, comm);
    });
  }
#endif

  Checker& checker_;
  const Topology& topology_;
  const std::vector<int>& in_;
  const std::vector<int>& out_;
  const Type& type_;
  int count_;
  int rank_ = 0;
  MPI_Datatype vector_ = MPI_DATATYPE_NULL;
  MPI_Datatype spread_ = MPI_DATATYPE_NULL;
};

}  // namespace

// Each topology with every count, by turns in one type and another.
void check_neighbours(Checker& checker, MPI_Comm comm, const std::string& comm_name) {
  std::size_t turn = 0;
  for (Topology& topology : make_topologies(comm)) {
    topology.name += " of " + comm_name;
    for (const int count : {0, 1, 1000, 60000}) {
      const Type& type = types[turn++ % std::size(types)];
      if (topology.comm != MPI_COMM_NULL) Exchange(checker, topology, type, count).all();
    }
    if (topology.comm != MPI_COMM_NULL) MPI_Comm_free(&topology.comm);
  }
}

}  // namespace operations
