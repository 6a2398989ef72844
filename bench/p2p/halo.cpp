// The exchange of a cube's borders with its neighbours in a periodic grid of ranks: with 6 for a
// 7-point stencil, with 26 for one of 27 points. Messages are packed by hand, or by subarray types.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "p2p/pattern.h"

namespace tightwire::p2p_bench {
namespace {

using Triple = std::array<int, 3>;

// A box of cells within the cube with its ghost layer.
struct Region {
  Triple start{};
  Triple size{};

  [[nodiscard]] std::size_t cells() const {
    return static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) *
           static_cast<std::size_t>(size[2]);
  }
};

struct Neighbour {
  int rank = 0;
  int send_tag = 0;
  int receive_tag = 0;
  Region own;    // the border that goes there
  Region ghost;  // where its border comes
  MPI_Datatype own_type = MPI_DATATYPE_NULL;
  MPI_Datatype ghost_type = MPI_DATATYPE_NULL;
  std::vector<std::byte> out;
  std::vector<std::byte> in;
};

class Halo : public Pattern {
 public:
  Halo(bool corners, bool derived, std::size_t face_bytes, const Values& values)
      : values_(values), derived_(derived) {
    const std::size_t values_of_face = face_bytes / values.size;
    side_ = static_cast<int>(std::sqrt(static_cast<double>(values_of_face)));
    const std::size_t width = static_cast<std::size_t>(side_) + 2;
    cube_.resize(width * width * width * values.size);
    fill();
    for (int x = -1; x <= 1; ++x) {
      for (int y = -1; y <= 1; ++y) {
        for (int z = -1; z <= 1; ++z) {
          const int distance = std::abs(x) + std::abs(y) + std::abs(z);
          if (distance == 1 || (corners && distance > 1)) add_neighbour({x, y, z});
        }
      }
    }
  }
  Halo(const Halo&) = delete;
  Halo& operator=(const Halo&) = delete;
  ~Halo() override {
    for (Neighbour& n : neighbours_) {
      MPI_Type_free(&n.own_type);
      MPI_Type_free(&n.ghost_type);
    }
  }

  [[nodiscard]] Unit unit() const override { return Unit::microseconds; }
  [[nodiscard]] double amount() const override { return 1; }

  void perform(const Functions& mpi) override {
    std::vector<MPI_Request> requests;
    for (Neighbour& n : neighbours_) {
      void* const to = derived_ ? cube_.data() : n.in.data();
      mpi.irecv(to, derived_ ? 1 : static_cast<int>(n.ghost.cells()),
                derived_ ? n.ghost_type : values_.type, n.rank, n.receive_tag, MPI_COMM_WORLD,
                &requests.emplace_back());
    }
    for (Neighbour& n : neighbours_) {
      if (!derived_) copy(n.own, n.out, true);
      const void* const from = derived_ ? cube_.data() : n.out.data();
      mpi.isend(from, derived_ ? 1 : static_cast<int>(n.own.cells()),
                derived_ ? n.own_type : values_.type, n.rank, n.send_tag, MPI_COMM_WORLD,
                &requests.emplace_back());
    }
    mpi.waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (Neighbour& n : neighbours_) {
      if (!derived_) copy(n.ghost, n.in, false);
    }
  }

  void spoil() override {
    for (Neighbour& n : neighbours_) {
      std::fill(n.in.begin(), n.in.end(), std::byte{0xFF});
      if (!derived_) continue;
      copy(n.ghost, n.in, false);
    }
  }

  // Ranks hold the same values, so a ghost is the border on the other side of one's own cube.
  [[nodiscard]] double largest_error() const override {
    double largest = 0;
    for (const Neighbour& n : neighbours_) {
      Region opposite = n.ghost;
      for (std::size_t d = 0; d < 3; ++d) {
        if (n.ghost.start[d] == 0) opposite.start[d] = side_;
        if (n.ghost.start[d] == side_ + 1) opposite.start[d] = 1;
      }
      std::vector<std::byte> received(n.ghost.cells() * values_.size);
      std::vector<std::byte> expected(received.size());
      auto& self = const_cast<Halo&>(*this);
      self.copy(n.ghost, received, true);
      self.copy(opposite, expected, true);
      largest = std::max(largest, p2p_bench::largest_error(values_, received.data(),
                                                           expected.data(), received.size()));
    }
    return largest;
  }

 private:
  [[nodiscard]] std::byte* cell(int x, int y, int z) {
    const int width = side_ + 2;
    return cube_.data() + (static_cast<std::size_t>((x * width + y) * width + z)) * values_.size;
  }

  // The field, plane by plane, each a little turned against the last.
  void fill() {
    const std::size_t row = static_cast<std::size_t>(side_) * values_.size;
    const std::size_t rows = values_.bytes.size() / row;
    for (int x = 1; x <= side_; ++x) {
      for (int y = 1; y <= side_; ++y) {
        const std::size_t from = static_cast<std::size_t>(x + y) % rows;
        std::memcpy(cell(x, y, 1), values_.bytes.data() + from * row, row);
      }
    }
  }

  void copy(const Region& region, std::vector<std::byte>& packed, bool out) {
    const std::size_t row = static_cast<std::size_t>(region.size[2]) * values_.size;
    std::byte* at = packed.data();
    for (int x = 0; x < region.size[0]; ++x) {
      for (int y = 0; y < region.size[1]; ++y) {
        std::byte* const cells = cell(region.start[0] + x, region.start[1] + y, region.start[2]);
        out ? std::memcpy(at, cells, row) : std::memcpy(cells, at, row);
        at += row;
      }
    }
  }

  void add_neighbour(const Triple& direction) {
    int size = 0;
    int rank = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    Triple grid{};
    MPI_Dims_create(size, 3, grid.data());
    const Triple place{rank / (grid[1] * grid[2]), rank / grid[2] % grid[1], rank % grid[2]};
    Triple other{};
    Neighbour n;
    for (std::size_t d = 0; d < 3; ++d) {
      other[d] = (place[d] + direction[d] + grid[d]) % grid[d];
      n.own.size[d] = n.ghost.size[d] = direction[d] == 0 ? side_ : 1;
      n.own.start[d] = direction[d] > 0 ? side_ : 1;
      n.ghost.start[d] = direction[d] < 0 ? 0 : direction[d] > 0 ? side_ + 1 : 1;
    }
    n.rank = (other[0] * grid[1] + other[1]) * grid[2] + other[2];
    n.send_tag = tag(direction);
    n.receive_tag = tag({-direction[0], -direction[1], -direction[2]});
    n.own_type = type_of(n.own);
    n.ghost_type = type_of(n.ghost);
    n.out.resize(n.own.cells() * values_.size);
    n.in.resize(n.out.size());
    neighbours_.push_back(std::move(n));
  }

  static int tag(const Triple& d) { return (d[0] + 1) * 9 + (d[1] + 1) * 3 + d[2] + 1; }

  [[nodiscard]] MPI_Datatype type_of(const Region& region) const {
    const Triple whole{side_ + 2, side_ + 2, side_ + 2};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_subarray(3, whole.data(), region.size.data(), region.start.data(), MPI_ORDER_C,
                             values_.type, &type);
    MPI_Type_commit(&type);
    return type;
  }

  const Values& values_;
  bool derived_;
  int side_ = 1;
  std::vector<std::byte> cube_;
  std::vector<Neighbour> neighbours_;
};

}  // namespace

std::unique_ptr<Pattern> make_halo(bool corners, bool derived, std::size_t bytes,
                                   const Values& values) {
  return std::make_unique<Halo>(corners, derived, bytes, values);
}

std::unique_ptr<Pattern> make_pattern(std::string_view name, std::size_t bytes,
                                      const Values& values) {
  if (!name.starts_with("halo")) return make_pair_pattern(name, bytes, values);
  return make_halo(name.starts_with("halo27"), name.ends_with("derived"), bytes, values);
}

}  // namespace tightwire::p2p_bench
