// All channels of a sender.
//
// What one channel has learned is tried in the next to the same receiver: where atoms migrate, the
// sizes of a program's messages change now and then.
//
// Not thread safe, but for the budget.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "history/sent_channel.h"

namespace tightwire::history {

class SentChannels {
 public:
  struct Key {
    int receiver = 0;
    const void* communicator = nullptr;
    int tag = 0;
    codec::ElementType type = codec::ElementType::bytes;
    auto operator<=>(const Key&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  struct Forgotten {
    std::vector<int> receivers;
    std::uint32_t channel;
  };

  explicit SentChannels(Budget& budget) : budget_(&budget) {}

  // nullptr where channels of such messages have proved of no use. It is the last used one now, and
  // valid until the next call. Gives back the memory of those that were used the longest ago where
  // there is not room for one more message of this size. Its messages go to these `receivers`,
  // always the same for a key; none: to the one that the key names.
  [[nodiscard]] SentChannel* channel(const Key& key, std::size_t bytes,
                                     std::span<const int> receivers = {});
  // One that there is already, else nullptr. It stays while a message that it is to keep is between
  // look() and send() or pass().
  [[nodiscard]] SentChannel* find(const Key& key, std::size_t bytes);
  // After the channel's send(): what the next ones go by.
  void learn(const Key& key, const SentChannel& channel, bool was_predicted);
  // An answer from a receiver of messages; of a channel that is gone it is ignored. Whether it was
  // due.
  bool answered(const wire::HistoryAnswer& answer);
  // Channels that their receivers need not keep any more, once.
  [[nodiscard]] std::vector<Forgotten> to_be_forgotten();

 private:
  struct Family {
    PredictionPattern pattern;
    unsigned fruitless = 0;  // channels in a row of which no message was predicted
    unsigned left_out = 0;   // so many messages of further channels have been
  };
  struct Member {
    Key key;
    std::size_t bytes;
    std::vector<int> receivers;
    SentChannel channel;
  };
  using Members = std::list<Member>;  // the last used in front

  using FamilyKey = std::tuple<int, const void*, codec::ElementType>;
  [[nodiscard]] static FamilyKey family_of(const Key& key);

  [[nodiscard]] bool is_welcome(Family& family);
  [[nodiscard]] bool make_room_for_one();
  void make_room(std::size_t bytes);
  void name(Members::iterator member);
  // The id that the channel's messages have from now on.
  [[nodiscard]] std::uint32_t new_id(Members::iterator member);

  Budget* budget_;
  std::map<FamilyKey, Family> families_;
  Members members_;
  std::map<std::tuple<Key, std::size_t>, Members::iterator> by_key_;
  std::map<std::uint32_t, Members::iterator> by_id_;
  std::uint32_t next_id_ = 0;
};

}  // namespace tightwire::history
