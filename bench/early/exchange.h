// The messages of one round: several buffers, all to the other rank.
#pragma once

#include <vector>

namespace tightwire::bench {

using Values = std::vector<float>;

class Exchange {
 public:
  // Buffers of so many values each.
  explicit Exchange(const std::vector<int>& counts);

  // A cube's 6 faces, 12 edges and 8 corners of `fields` fields, as LULESH sends them.
  static std::vector<int> halo(int side, int fields);

  // Writes the values of a round to the buffers: all of them, or a twentieth of each.
  void pack(int round);
  void pack_part(int round);

  // Sends all and receives as many. MPI calls alone.
  void exchange();

  // Whether the last round's values arrived, bit for bit; `round` as the other rank packed it.
  [[nodiscard]] bool arrived() const { return received_ == sent_; }

 private:
  std::vector<Values> sent_;
  std::vector<Values> received_;
};

}  // namespace tightwire::bench
