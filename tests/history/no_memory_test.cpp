// What a history does where an allocation fails, whichever it is: a message is not kept, or left
// alone, and all others go on. A program of its own, because it replaces operator new.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <optional>

#include "../replaced_new.h"
#include "fields.h"
#include "history/received_channels.h"
#include "history/sent_channels.h"

namespace {

constexpr int never = -1;
// Of the allocations of a Scarce: so many are made before one fails.
int left = never;
bool is_scarce = false;
bool has_failed = false;

bool fails() {
  if (!is_scarce || left == never || left-- > 0) return false;
  left = never;
  has_failed = true;
  return true;
}

}  // namespace

void* memory_for_new(std::size_t size) {
  return fails() ? nullptr : std::malloc(size);
}

namespace tightwire::history {
namespace {

using codec::ElementType;

constexpr int sender = 3;
constexpr std::size_t message_bytes = field_values * sizeof(double);

// As mpi/history/message_history.cpp does.
template <class Body>
void where_memory_allows(Body&& body) {
  is_scarce = true;
  try {
    body();
  } catch (const std::bad_alloc&) {
  }
  is_scarce = false;
}

class Pair {
 public:
  // Whether the message was predicted.
  bool exchange(const std::vector<double>& values, int tag) {
    const SentChannels::Key key{1, this, tag, ElementType::float64};
    std::optional<OfferedReferences> offered;
    where_memory_allows([&] {
      SentChannel* const channel = sent_.channel(key, message_bytes);
      if (channel != nullptr && !channel->skips()) {
        offered = channel->look(ElementType::float64, bytes_of(values), {});
      }
    });
    if (!offered) return false;
    if (!offered->to_keep) {
      where_memory_allows(
          [&] { sent_.find(key, message_bytes)->pass(bytes_of(values), *offered); });
      return false;
    }
    SentChannel& channel = *sent_.find(key, message_bytes);
    is_scarce = true;  // and needs no memory
    const wire::HistoryBlock block = channel.announce(*offered, offered->size);
    is_scarce = false;
    where_memory_allows([&] { channel.keep(bytes_of(values), *offered); });
    receive(block, *offered, values);
    return block.references > 0;
  }

 private:
  void receive(const wire::HistoryBlock& block, const OfferedReferences& offered,
               const std::vector<double>& values) {
    ASSERT_FALSE(receiver_.is_repeated(sender, block));
    const auto found = receiver_.references(sender, block, message_bytes);
    ASSERT_TRUE(found);
    for (std::size_t k = 0; k < found->size; ++k) {
      ASSERT_TRUE(std::ranges::equal(found->copies[k]->bytes(), offered.references[k]->bytes()));
    }
    wire::HistoryAnswer answer{wire::HistoryAnswer::Kind::no_room, block.channel, block.number, 0};
    where_memory_allows([&] { answer = receiver_.keep(sender, block, bytes_of(values)); });
    sent_.answered(answer);
  }

  Budget sent_memory_{64 * message_bytes};
  Budget received_memory_{64 * message_bytes};
  SentChannels sent_{sent_memory_};
  ReceivedChannels receiver_{received_memory_};
};

constexpr int steps = 16;

int predicted(int allocations_before_one_fails) {
  std::vector<std::vector<double>> fields;
  for (int step = 0; step < steps; ++step) fields.push_back(field_at(step));
  Pair pair;
  left = allocations_before_one_fails;
  int count = 0;
  for (const std::vector<double>& field : fields) {
    for (const int tag : {0, 1}) count += pair.exchange(field, tag) ? 1 : 0;
  }
  left = never;
  return count;
}

TEST(HistoryWithoutMemory, OneAllocationThatFailsCostsReferencesAndNothingElse) {
  const int with_all = predicted(never);
  EXPECT_GT(with_all, steps);
  int tried = 0;
  for (has_failed = true; has_failed; ++tried) {
    has_failed = false;
    EXPECT_LE(predicted(tried), with_all) << "allocation " << tried;
  }
  EXPECT_GT(tried, 4 * steps);
}

}  // namespace
}  // namespace tightwire::history
