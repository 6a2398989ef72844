// How a sender encodes one message.
#pragma once

#include <cstddef>
#include <optional>

#include "codec/encoding.h"
#include "codec/estimate/value_range.h"
#include "mpi/communicator/route.h"
#include "mpi/datatype/predefined_type.h"
#include "mpi/history/sent_history.h"
#include "p2p/feedback/helped.h"
#include "p2p/transfer/buffer/send_buffer.h"
#include "policy/call.h"
#include "policy/choose.h"
#include "policy/device/trials.h"
#include "settings/settings.h"

namespace tightwire::p2p {

// Below this the gain is not worth the receiver's work.
inline constexpr double least_ratio = 1.05;

// Where the device that has the values encodes them.
struct OnDevice {
  codec::ValueRange range;
  double look_seconds = 0;                          // that it took to find it
  std::optional<policy::DeviceTrials::Kind> trial;  // where it is to pay
};

struct MessageEncoding {
  policy::Plan plan;
  codec::Encoding encoding;
  std::size_t chunks = 1;
  policy::ChunkRange chunk_range;  // that it may be chosen from
  double link = 0;                 // bytes per second, by which the codec was chosen; 0: not by any
  bool sampled = false;            // the codec was chosen by a sample
  double look_seconds = 0;         // that it takes to find the range that the bound is a part of
  Helped helped = {};              // as far as the sender knows
  double expected_seconds = 0;     // that the cost model says it takes to encode; 0: not known
  std::optional<OnDevice> on_device = std::nullopt;
};

// A synchronous send is complete when a receive has been matched, so that a probe must not receive
// its message: nor need it be, as long as it looks or is announced.
enum class SendMode : bool { standard, synchronous };

// Whom a message goes to, by which tag, and how.
struct Envelope {
  int destination;
  int tag;
  SendMode mode = SendMode::standard;
  bool is_part = false;  // of what has been cut already
};

// By what codecs made of such messages before, and the network's speed, where that is known.
// `type` is nothing where the values are of several; they are then bytes. The values are only read
// where nothing is known yet of such a message, or the bound is a part of their range. Where the
// message may be encoded by `exact` or `bounded`, `history` (if there is one) looks at it, and is
// told if it is to be predicted. A synchronous one is encoded by a device alone: of what the host
// encodes a probe could not be told.
[[nodiscard]] MessageEncoding message_encoding(const std::optional<mpi::PredefinedType>& type,
                                               SendBuffer& values, const mpi::Route& route,
                                               const Envelope& envelope, mpi::SentHistory* history);

// The same where a device has the values, may encode them, and that is likely to pay or is asked
// for; nothing where the host is to. `link`: 0 if it is asked for. Whether it has paid is told by
// what has been encoded.
[[nodiscard]] std::optional<MessageEncoding> encoding_on_device(
    const policy::Plan& plan, const settings::Settings& settings,
    const policy::DeviceTrials::Kind& kind, double link, const SendBuffer& values);

// What an encoding of the message came to; scaled up from a part of it.
void remember(const MessageEncoding& chosen, const SendBuffer& values, double ratio);

}  // namespace tightwire::p2p
