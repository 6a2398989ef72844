// What an audit has counted so far, by kinds of calls as they can be told apart at once.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "audit/profile.h"
#include "audit/watch.h"

namespace tightwire::auditor {

struct RowKey {
  const void* site = nullptr;
  const char* function = nullptr;
  std::uint32_t communicator = 0;  // 0: none; else a number for each name and size
  audit::Peer peer = audit::Peer::nobody;
  codec::ElementType type = codec::ElementType::bytes;
  bool derived = false;
  std::uint8_t reduction = 0;
  std::uint8_t size_class = 0;

  bool operator==(const RowKey&) const = default;
};

struct Row {
  audit::Figures figures;
  std::uint64_t next_sample = 0;      // from so many calls on
  std::vector<std::size_t> channels;  // hashes, in order

  void note(const audit::Channel& channel);
};

// Not thread safe. Rows stay where they are.
class Rows {
 public:
  [[nodiscard]] Row& of(RowKey key);
  [[nodiscard]] std::uint32_t number_of(const std::string& communicator, int ranks);

  void count_sent(int to, std::uint64_t messages, std::uint64_t bytes);

  // With the names of the places in the code, as `rank` has counted it.
  void add_to(audit::Profile& profile, int rank) const;

 private:
  struct Hash {
    std::size_t operator()(const RowKey& key) const;
  };
  struct Communicator {
    std::string name;
    int ranks;
  };

  std::unordered_map<RowKey, Row, Hash> rows_;
  std::map<std::pair<std::string, int>, std::uint32_t> numbers_;
  std::unordered_map<int, audit::Sent> sent_;
};

}  // namespace tightwire::auditor
