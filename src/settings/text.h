// Settings as text: parse() and print() for every type of values.h, such that parse(print(x)) == x.
// Pure functions, independent of the locale; on a Fault the output is unchanged.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "settings/values.h"

namespace tightwire::settings {

// Why a text is not a value: completes the sentence "error-bound = "-1" ...".
struct Fault {
  std::string reason;  // "is negative"
  std::string advice;  // "give a positive number such as 1e-4"
};

[[nodiscard]] std::optional<Fault> parse(std::string_view text, Mode& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, BoundAppliesTo& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, BoundedCodec& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, ExactCodec& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, Algorithm& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, SameHost& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, History& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, Device& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, Operation& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, Datatype& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, Peer& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, Early& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, EarlyMechanism& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, Switch& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, Bytes& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, Threshold& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, Count& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, ErrorBound& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, ZstdLevel& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, ZfpRate& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, LinkSpeed& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, Period& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, CodingSpeedups& value);
[[nodiscard]] std::optional<Fault> parse(std::string_view text, FilePath& value);

[[nodiscard]] std::string print(Mode value);
[[nodiscard]] std::string print(BoundAppliesTo value);
[[nodiscard]] std::string print(BoundedCodec value);
[[nodiscard]] std::string print(ExactCodec value);
[[nodiscard]] std::string print(Algorithm value);
[[nodiscard]] std::string print(SameHost value);
[[nodiscard]] std::string print(History value);
[[nodiscard]] std::string print(Device value);
[[nodiscard]] std::string print(Operation value);
[[nodiscard]] std::string print(Datatype value);
[[nodiscard]] std::string print(Peer value);
[[nodiscard]] std::string print(Early value);
[[nodiscard]] std::string print(EarlyMechanism value);
[[nodiscard]] std::string print(Switch value);
[[nodiscard]] std::string print(Bytes value);
[[nodiscard]] std::string print(Threshold value);
[[nodiscard]] std::string print(Count value);
[[nodiscard]] std::string print(ErrorBound value);
[[nodiscard]] std::string print(ZstdLevel value);
[[nodiscard]] std::string print(ZfpRate value);
[[nodiscard]] std::string print(LinkSpeed value);
[[nodiscard]] std::string print(Period value);
[[nodiscard]] std::string print(const CodingSpeedups& value);
[[nodiscard]] std::string print(const FilePath& value);

// The shortest text that from_chars() reads back as the same number.
[[nodiscard]] std::string print_number(double value);

}  // namespace tightwire::settings
