#include "operations.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "draw.h"

namespace load {
namespace {

constexpr int most = 1 << 16;  // values in a message

template <class Number>
struct Call {
  using Values = std::vector<Number>;

  std::uint64_t number;
  MPI_Comm comm;
  int rank;
  int ranks;
  int count;
  int root;
  Work& work;
  MPI_Datatype type;

  void expect(const Number* got, const Values& due) const {
    for (std::size_t i = 0; i < due.size(); ++i) work.wrong += got[i] != due[i] ? 1U : 0U;
  }
  // Its own, so that who receives from anybody gets no message of a later operation.
  [[nodiscard]] int tag() const { return static_cast<int>(number % 30000); }
  [[nodiscard]] Values of(int other) const { return values<Number>(number, other, count); }
  [[nodiscard]] Values sum_of(int first, int end) const {
    Values sum(static_cast<std::size_t>(count));
    for (int other = first; other < end; ++other) {
      const Values one = of(other);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one[i];
    }
    return sum;
  }
};

template <class Number>
void bcast(const Call<Number>& call) {
  std::vector<Number> data =
      call.rank == call.root ? call.of(call.root) : std::vector<Number>(call.of(call.root).size());
  MPI_Bcast(data.data(), call.count, call.type, call.root, call.comm);
  call.expect(data.data(), call.of(call.root));
}

template <class Number>
void allreduce(const Call<Number>& call) {
  std::vector<Number> data = call.of(call.rank);
  MPI_Allreduce(MPI_IN_PLACE, data.data(), call.count, call.type, MPI_SUM, call.comm);
  call.expect(data.data(), call.sum_of(0, call.ranks));
}

template <class Number>
void reduce(const Call<Number>& call) {
  const std::vector<Number> mine = call.of(call.rank);
  std::vector<Number> sum(mine.size());
  MPI_Reduce(mine.data(), sum.data(), call.count, call.type, MPI_SUM, call.root, call.comm);
  if (call.rank == call.root) call.expect(sum.data(), call.sum_of(0, call.ranks));
}

template <class Number>
void scan(const Call<Number>& call) {
  const std::vector<Number> mine = call.of(call.rank);
  std::vector<Number> sum(mine.size());
  MPI_Scan(mine.data(), sum.data(), call.count, call.type, MPI_SUM, call.comm);
  call.expect(sum.data(), call.sum_of(0, call.rank + 1));
}

template <class Number>
void allgather(const Call<Number>& call) {
  const std::vector<Number> mine = call.of(call.rank);
  std::vector<Number> all(mine.size() * static_cast<std::size_t>(call.ranks));
  MPI_Allgather(mine.data(), call.count, call.type, all.data(), call.count, call.type, call.comm);
  for (int other = 0; other < call.ranks; ++other) {
    call.expect(all.data() + static_cast<std::size_t>(other) * mine.size(), call.of(other));
  }
}

template <class Number>
void gather_and_scatter(const Call<Number>& call) {
  std::vector<Number> mine = call.of(call.rank);
  std::vector<Number> all(call.rank == call.root ? mine.size() * call.ranks : 0);
  MPI_Gather(mine.data(), call.count, call.type, all.data(), call.count, call.type, call.root,
             call.comm);
  std::fill(mine.begin(), mine.end(), static_cast<Number>(-1));
  MPI_Scatter(all.data(), call.count, call.type, mine.data(), call.count, call.type, call.root,
              call.comm);
  call.expect(mine.data(), call.of(call.rank));
  ++call.work.messages;
}

template <class Number>
void alltoall(const Call<Number>& call) {
  const int share = std::max(1, call.count / call.ranks);
  const std::vector<Number> mine = values<Number>(call.number, call.rank, share * call.ranks);
  std::vector<Number> got(mine.size());
  MPI_Alltoall(mine.data(), share, call.type, got.data(), share, call.type, call.comm);
  for (int other = 0; other < call.ranks; ++other) {
    const std::vector<Number> theirs = values<Number>(call.number, other, share * call.ranks);
    const auto place = static_cast<std::ptrdiff_t>(share) * call.rank;
    call.expect(got.data() + static_cast<std::size_t>(share) * static_cast<std::size_t>(other),
                {theirs.begin() + place, theirs.begin() + place + share});
  }
}

// Around the ring, blocking.
template <class Number>
void sendrecv(const Call<Number>& call) {
  const std::vector<Number> mine = call.of(call.rank);
  std::vector<Number> got(mine.size());
  const int left = (call.rank + call.ranks - 1) % call.ranks;
  MPI_Status status;
  MPI_Sendrecv(mine.data(), call.count, call.type, (call.rank + 1) % call.ranks, call.tag(),
               got.data(), call.count, call.type, left, call.tag(), call.comm, &status);
  int received = 0;
  MPI_Get_count(&status, call.type, &received);
  call.work.wrong += received != call.count || status.MPI_SOURCE != left ? 1U : 0U;
  call.expect(got.data(), call.of(left));
}

// Everybody to everybody, received by whoever comes first.
template <class Number>
void isend_to_all(const Call<Number>& call) {
  const std::vector<Number> mine = call.of(call.rank);
  std::vector<MPI_Request> requests;
  for (int other = 0; other < call.ranks; ++other) {
    if (other == call.rank) continue;
    MPI_Isend(mine.data(), call.count, call.type, other, call.tag(), call.comm,
              &requests.emplace_back());
  }
  std::vector<Number> got(mine.size());
  for (int i = 1; i < call.ranks; ++i) {
    MPI_Status status;
    MPI_Recv(got.data(), call.count, call.type, MPI_ANY_SOURCE, call.tag(), call.comm, &status);
    call.expect(got.data(), call.of(status.MPI_SOURCE));
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  call.work.messages += requests.size();
}

// Every third value of a larger array, received as a row.
template <class Number>
void strided(const Call<Number>& call) {
  constexpr int stride = 3;
  const std::vector<Number> mine = call.of(call.rank);
  std::vector<Number> spread(mine.size() * stride, static_cast<Number>(-1));
  for (std::size_t i = 0; i < mine.size(); ++i) spread[i * stride] = mine[i];
  MPI_Datatype every_third = MPI_DATATYPE_NULL;
  MPI_Type_vector(call.count, 1, stride, call.type, &every_third);
  MPI_Type_commit(&every_third);
  std::vector<Number> got(mine.size());
  const int right = (call.rank + 1) % call.ranks;
  const int left = (call.rank + call.ranks - 1) % call.ranks;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(got.data(), call.count, call.type, left, call.tag(), call.comm, &request);
  MPI_Send(spread.data(), 1, every_third, right, call.tag(), call.comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&every_third);
  call.expect(got.data(), call.of(left));
}

// As many bytes as a probe tells.
template <class Number>
void probed(const Call<Number>& call) {
  const std::vector<Number> mine = call.of(call.rank);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(mine.data(), call.count, call.type, (call.rank + 1) % call.ranks, call.tag(), call.comm,
            &request);
  MPI_Status status;
  MPI_Probe(MPI_ANY_SOURCE, call.tag(), call.comm, &status);
  int count = 0;
  MPI_Get_count(&status, call.type, &count);
  std::vector<Number> got(static_cast<std::size_t>(std::max(count, call.count)));
  MPI_Recv(got.data(), count, call.type, status.MPI_SOURCE, call.tag(), call.comm,
           MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  call.work.wrong += count != call.count ? 1U : 0U;
  call.expect(got.data(), call.of(status.MPI_SOURCE));
}

template <class Number>
void perform_on(std::uint64_t operation, MPI_Comm comm, MPI_Datatype type, Draw& draw, Work& work) {
  constexpr std::array operations{bcast<Number>,    allreduce<Number>, reduce<Number>,
                                  scan<Number>,     allgather<Number>, gather_and_scatter<Number>,
                                  alltoall<Number>, sendrecv<Number>,  isend_to_all<Number>,
                                  strided<Number>,  probed<Number>};
  Call<Number> call{operation, comm, 0, 1, 1, 0, work, type};
  MPI_Comm_rank(comm, &call.rank);
  MPI_Comm_size(comm, &call.ranks);
  call.count = draw.count(most);
  call.root = static_cast<int>(draw.below(static_cast<std::uint64_t>(call.ranks)));
  operations[draw.below(operations.size())](call);
}

}  // namespace

void perform(std::uint64_t operation, MPI_Comm comm, Work& work) {
  Draw draw(mixed(operation));
  ++work.messages;
  switch (draw.below(5)) {
    case 0:
      return perform_on<double>(operation, comm, MPI_DOUBLE, draw, work);
    case 1:
      return perform_on<std::int32_t>(operation, comm, MPI_INT32_T, draw, work);
    case 2:
      return perform_on<std::uint16_t>(operation, comm, MPI_UINT16_T, draw, work);
    case 3:
      return perform_on<std::int64_t>(operation, comm, MPI_INT64_T, draw, work);
    default:
      return perform_on<float>(operation, comm, MPI_FLOAT, draw, work);
  }
}

}  // namespace load
