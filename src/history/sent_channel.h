// What a sender remembers of one channel: its last messages, which of them the receiver keeps, and
// how the next one is best predicted from them.
//
// First the messages are only watched: copies of the last few, or excerpts, tell whether predicting
// pays, and from which: fields may take turns, and then the second or fourth message back is the
// same one a step earlier. Only where it pays is the receiver asked to keep messages. What gains
// nothing is left alone, for longer every time.
//
// Not thread safe.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "codec/codec.h"
#include "codec/history/promise.h"
#include "history/copy.h"
#include "history/offered_references.h"
#include "wire/history.h"

namespace tightwire::history {

// How messages of a channel are predicted; what is known from channels like it.
struct PredictionPattern {
  std::uint16_t spacing = 0;  // how many messages back the last step is; 0: not at all
  std::uint8_t order = 0;     // how many references pay
};

class SentChannel {
 public:
  // `id` as the receivers will know it: so many, who get the same messages. `pattern` is tried at
  // once.
  SentChannel(std::uint32_t id, const PredictionPattern& pattern, Budget& budget,
              unsigned receivers = 1);

  // The next message is left alone: it is neither to be looked at nor sent() nor passed().
  [[nodiscard]] bool skips();
  // Before a message is encoded, once for each that is not skipped. `parameters`: how its values
  // lie.
  [[nodiscard]] OfferedReferences look(codec::ElementType type, std::span<const std::byte> values,
                                       const codec::Parameters& parameters);
  // One of the three after each look(): until then all that it found is kept on both sides.
  // The message goes as a frame with this block, to be kept. It is predicted from the first `used`
  // of the offered's references.
  [[nodiscard]] wire::HistoryBlock send(std::span<const std::byte> values,
                                        const OfferedReferences& offered, std::uint8_t used);
  // The same in two steps, where what the receiver will have is known only after the block is
  // needed: first the block, then the values.
  [[nodiscard]] wire::HistoryBlock announce(const OfferedReferences& offered, std::uint8_t used);
  void keep(std::span<const std::byte> values, const OfferedReferences& offered);
  // It goes without. Where so many in a row are declined the channel pauses.
  void pass(std::span<const std::byte> values, const OfferedReferences& offered);
  // Through the entropy coder it came to so many times that ratio.
  void coded(double gain);
  // It does not go, though it may have been sent(): so many answers are not due any more.
  unsigned abandon(const OfferedReferences& offered);

  // Of a message that was sent with a block, from one of the receivers. Whether it was due.
  bool answered(const wire::HistoryAnswer& answer);

  // A message was not answered for so long that it may never be.
  [[nodiscard]] bool is_stuck() const;
  // The receiver will know what comes by another id; what it keeps under the old one stays until
  // the last of those messages is answered.
  void retire(std::uint32_t new_id);
  // Retired ids that the receiver need not know any more, once.
  [[nodiscard]] std::vector<std::uint32_t> ended();

  // Gives back the memory; it may begin anew later.
  void release();
  // The same, since others want the memory. A channel that this happens to again and again, before
  // it has seen what predicts it, pauses.
  void displace();
  // The receiver keeps nothing of it.
  [[nodiscard]] bool is_unknown_to_receiver() const {
    return !receiver_keeps_ && in_flight_.empty() && retired_.empty();
  }
  // The receiver still keeps something in vain, and nothing on its way refers to that.
  [[nodiscard]] bool wants_to_be_forgotten() const;
  // The receiver is told so: from now on it knows the channel by another id.
  void forgotten(std::uint32_t new_id);

  [[nodiscard]] std::uint32_t id() const { return id_; }
  [[nodiscard]] unsigned receivers() const { return receivers_; }
  [[nodiscard]] const PredictionPattern& pattern() const { return pattern_; }
  [[nodiscard]] bool is_paused() const { return pause_ > 0; }

 private:
  struct Entry {
    std::shared_ptr<Copy> copy;  // or excerpt
    unsigned kept_by = 0;        // so many receivers, as it is here
  };
  struct InFlight {
    std::uint64_t refers_to;  // the oldest
    unsigned answers_due;
    bool is_sent = false;  // not only looked at
  };
  using AllInFlight = std::map<std::uint64_t, InFlight>;  // by number
  struct Retired {
    std::uint32_t id;
    AllInFlight in_flight;
  };

  // The messages before this one by a step, two, ...; only what the receiver keeps, or all.
  [[nodiscard]] OfferedReferences references(std::uint64_t number, std::uint16_t spacing,
                                             bool only_kept) const;
  [[nodiscard]] OfferedReferences nearest_kept(std::uint64_t number) const;
  [[nodiscard]] bool awaits_first() const;
  // That the receivers are known to keep.
  [[nodiscard]] std::optional<std::uint64_t> newest_kept() const;
  void search(std::uint64_t number, codec::ElementType type, std::span<const std::byte> values,
              const codec::Parameters& parameters);
  // What the references promise, by a sample now and then; as many are left as pay.
  void weigh(codec::ElementType type, std::span<const std::byte> values,
             const codec::Parameters& parameters, OfferedReferences& offered);
  void decide(const codec::HistoryPromise& promise, std::uint8_t references);
  void learn_order(const codec::HistoryPromise& promise, std::uint8_t references);
  [[nodiscard]] bool is_behind() const;
  [[nodiscard]] std::uint64_t oldest_needed() const;
  [[nodiscard]] std::size_t depth() const;
  [[nodiscard]] bool make_do_with_less();
  // A message that its receiver keeps, or what is watched.
  void remember(std::uint64_t number, std::span<const std::byte> bytes);
  void drop_older_than(std::uint64_t oldest);
  void pause();
  void begin_to_watch();
  // Whether it was due.
  static bool take_answer(AllInFlight& in_flight, std::uint64_t number);
  void note_kept(const wire::HistoryAnswer& answer);

  std::uint32_t id_;
  Budget* budget_;
  unsigned receivers_;
  PredictionPattern pattern_;
  unsigned displaced_ = 0;
  std::uint64_t next_ = 0;
  std::map<std::uint64_t, Entry> entries_;  // by number
  std::shared_ptr<Copy> spare_;
  AllInFlight in_flight_;
  std::vector<Retired> retired_;
  std::uint64_t forgotten_before_ = 0;                     // the receiver has dropped what is older
  bool receiver_keeps_ = false;                            // perhaps, under this id
  std::size_t most_depth_ = static_cast<std::size_t>(-1);  // that there is memory for
  codec::HistoryPromise promised_;                         // by the last sample
  std::uint8_t sampled_references_ = 0;
  unsigned since_sample_ = 0;
  double coded_gain_ = 0;
  unsigned since_coded_ = 0;
  unsigned watched_ = 0;  // messages since watching began
  double best_gain_ = 0;  // that watching has found
  double hoped_for_ = 0;  // a ratio, by that
  unsigned in_vain_ = 0;  // messages in a row that were not worth predicting
  unsigned unused_ = 0;   // promising messages in a row that were not predicted, or declined
  unsigned pause_ = 0;    // so many messages are left alone
  unsigned next_pause_;
};

}  // namespace tightwire::history
