#include "settings/text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "settings/nearest.h"

namespace tightwire::settings {
namespace {

template <class Type>
using Name = std::pair<std::string_view, Type>;

constexpr std::array modes{
    Name<Mode>{"raw", Mode::raw},
    Name<Mode>{"exact", Mode::exact},
    Name<Mode>{"bounded", Mode::bounded},
    Name<Mode>{"adaptive", Mode::adaptive},
    Name<Mode>{"adaptive+pipelined", Mode::adaptive_pipelined},
};
constexpr std::array bound_applies_to{
    Name<BoundAppliesTo>{"result", BoundAppliesTo::result},
    Name<BoundAppliesTo>{"contribution", BoundAppliesTo::contribution},
};
constexpr std::array bounded_codecs{
#define TIGHTWIRE_BOUNDED_CODEC(id, number, name, ...) Name<BoundedCodec>{name, BoundedCodec::id},
#include "codecs.def"
};
constexpr std::array exact_codecs{
#define TIGHTWIRE_EXACT_CODEC(id, number, name, ...) Name<ExactCodec>{name, ExactCodec::id},
#define TIGHTWIRE_EXACT_VARIANT(id, name, ...) Name<ExactCodec>{name, ExactCodec::id},
#include "codecs.def"
};
constexpr std::array algorithms{
    Name<Algorithm>{"auto", Algorithm::automatic},
    Name<Algorithm>{"ring", Algorithm::ring},
    Name<Algorithm>{"recursive-doubling", Algorithm::recursive_doubling},
    Name<Algorithm>{"rabenseifner", Algorithm::rabenseifner},
    Name<Algorithm>{"tree", Algorithm::tree},
};
constexpr std::array same_host{
    Name<SameHost>{"raw", SameHost::raw},
    Name<SameHost>{"compress", SameHost::compress},
};
constexpr std::array operations{
    Name<Operation>{"bcast", Operation::bcast},
    Name<Operation>{"reduce", Operation::reduce},
    Name<Operation>{"allreduce", Operation::allreduce},
    Name<Operation>{"reduce-scatter", Operation::reduce_scatter},
    Name<Operation>{"scan", Operation::scan},
    Name<Operation>{"gather", Operation::gather},
    Name<Operation>{"scatter", Operation::scatter},
    Name<Operation>{"allgather", Operation::allgather},
    Name<Operation>{"alltoall", Operation::alltoall},
    Name<Operation>{"send", Operation::send},
};
static_assert(operations.size() == operation_count);
constexpr std::array datatypes{
    Name<Datatype>{"byte", Datatype::byte},     Name<Datatype>{"int8", Datatype::int8},
    Name<Datatype>{"int16", Datatype::int16},   Name<Datatype>{"int", Datatype::int32},
    Name<Datatype>{"long", Datatype::int64},    Name<Datatype>{"float", Datatype::float32},
    Name<Datatype>{"double", Datatype::float64}};
static_assert(datatypes.size() == datatype_count);
constexpr std::array peers{
    Name<Peer>{"same-host", Peer::same_host},
    Name<Peer>{"other-host", Peer::other_host},
};
constexpr std::array early_modes{
    Name<Early>{"off", Early::off},
    Name<Early>{"auto", Early::automatic},
    Name<Early>{"on", Early::on},
};
constexpr std::array early_mechanisms{
    Name<EarlyMechanism>{"auto", EarlyMechanism::automatic},
    Name<EarlyMechanism>{"wp-async", EarlyMechanism::wp_async},
    Name<EarlyMechanism>{"wp-sync", EarlyMechanism::wp_sync},
    Name<EarlyMechanism>{"hash", EarlyMechanism::hash},
};
// The first name of a value is the one that is printed.
constexpr std::array switches{
    Name<Switch>{"on", Switch::on},   Name<Switch>{"off", Switch::off},
    Name<Switch>{"true", Switch::on}, Name<Switch>{"false", Switch::off},
    Name<Switch>{"yes", Switch::on},  Name<Switch>{"no", Switch::off},
    Name<Switch>{"1", Switch::on},    Name<Switch>{"0", Switch::off},
};

template <class Names>
Fault not_one_of(std::string_view text, const Names& names) {
  std::vector<std::string_view> known;
  std::string list;
  for (const auto& [name, value] : names) {
    known.push_back(name);
    list += (list.empty() ? "" : ", ");
    list += name;
  }
  Fault fault{text.empty() ? "is empty" : "is not known", "use one of " + list};
  if (const auto near = nearest(text, known)) {
    fault.advice = "did you mean " + std::string(*near) + "? It can be " + list;
  }
  return fault;
}

template <class Type, class Names>
std::optional<Fault> parse_name(std::string_view text, const Names& names, Type& value) {
  for (const auto& [name, named] : names) {
    if (text == name) {
      value = named;
      return std::nullopt;
    }
  }
  return not_one_of(text, names);
}

template <class Type, class Names>
std::string print_name(Type value, const Names& names) {
  for (const auto& [name, named] : names) {
    if (value == named) return std::string(name);
  }
  return "?";
}

// Reads all of `text` as one finite number; otherwise says what is wrong with it.
std::optional<std::string> parse_number(std::string_view text, double& value) {
  if (text.empty()) return "is empty";
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::invalid_argument) return "is not a number";
  if (end != text.data() + text.size()) {
    return "is not a number: there is \"" + std::string(end, text.data() + text.size()) +
           "\" behind it";
  }
  if (error == std::errc::result_out_of_range) return "is too large or too small for a double";
  if (std::isnan(number)) return "is not a number (NaN)";
  if (std::isinf(number)) return "is infinite";
  value = number;
  return std::nullopt;
}

template <class Integer>
std::optional<std::string> parse_integer(std::string_view text, Integer low, Integer high,
                                         Integer& value) {
  if (text.empty()) return "is empty";
  Integer number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool complete = end == text.data() + text.size();
  if (error == std::errc::invalid_argument || !complete) return "is not a whole number";
  if (error == std::errc::result_out_of_range || number < low || number > high) {
    return "is not within " + std::to_string(low) + " to " + std::to_string(high);
  }
  value = number;
  return std::nullopt;
}

constexpr std::string_view size_units = "KMGT";

}  // namespace

std::string print_number(double value) {
  std::array<char, 64> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return error == std::errc{} ? std::string(buffer.data(), end) : "?";
}

std::optional<Fault> parse(std::string_view text, Mode& value) {
  return parse_name(text, modes, value);
}
std::optional<Fault> parse(std::string_view text, BoundAppliesTo& value) {
  return parse_name(text, bound_applies_to, value);
}
std::optional<Fault> parse(std::string_view text, BoundedCodec& value) {
  return parse_name(text, bounded_codecs, value);
}
std::optional<Fault> parse(std::string_view text, ExactCodec& value) {
  return parse_name(text, exact_codecs, value);
}
std::optional<Fault> parse(std::string_view text, Algorithm& value) {
  return parse_name(text, algorithms, value);
}
std::optional<Fault> parse(std::string_view text, SameHost& value) {
  return parse_name(text, same_host, value);
}

std::optional<Fault> parse(std::string_view text, Operation& value) {
  return parse_name(text, operations, value);
}
std::optional<Fault> parse(std::string_view text, Datatype& value) {
  return parse_name(text, datatypes, value);
}
std::optional<Fault> parse(std::string_view text, Peer& value) {
  return parse_name(text, peers, value);
}

std::optional<Fault> parse(std::string_view text, Early& value) {
  return parse_name(text, early_modes, value);
}

std::optional<Fault> parse(std::string_view text, EarlyMechanism& value) {
  return parse_name(text, early_mechanisms, value);
}
std::optional<Fault> parse(std::string_view text, Switch& value) {
  return parse_name(text, switches, value);
}

std::optional<Fault> parse(std::string_view text, Bytes& value) {
  const std::string advice = "give a size such as 65536, 64K, 1.5M or 2G, or never";
  if (text == "never") {
    value.value = Bytes::never;
    return std::nullopt;
  }
  std::string_view digits = text;
  if (digits.ends_with("iB")) {
    digits.remove_suffix(2);
    if (digits.empty() || size_units.find(digits.back()) == std::string_view::npos) {
      return Fault{"is not a size", advice};
    }
  }
  std::uint64_t unit = 1;
  if (!digits.empty()) {
    const char last = digits.back() == 'k' ? 'K' : digits.back();
    if (const auto power = size_units.find(last); power != std::string_view::npos) {
      unit = std::uint64_t{1} << (10 * (power + 1));
      digits.remove_suffix(1);
    }
  }
  std::uint64_t whole = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), whole);
  if (error == std::errc{} && end == digits.data() + digits.size()) {
    if (whole > (Bytes::never - 1) / unit) return Fault{"is too large", advice};
    value.value = whole * unit;
    return std::nullopt;
  }
  double number = 0;
  if (auto reason = parse_number(digits, number)) {
    return Fault{text.empty() ? *reason : "is not a size", advice};
  }
  const double bytes = number * static_cast<double>(unit);
  if (bytes < 0) return Fault{"is negative", advice};
  if (bytes >= 0x1p63) return Fault{"is too large", advice};
  if (bytes != std::floor(bytes)) return Fault{"is not a whole number of bytes", advice};
  value.value = static_cast<std::uint64_t>(bytes);
  return std::nullopt;
}

std::optional<Fault> parse(std::string_view text, Count& value) {
  std::int64_t number = 0;
  if (text == "auto") {
    value.value = 0;
    return std::nullopt;
  }
  if (auto reason = parse_integer<std::int64_t>(text, 1, 65536, number)) {
    return Fault{*reason, "give a whole number from 1 to 65536, or auto"};
  }
  value.value = static_cast<std::uint32_t>(number);
  return std::nullopt;
}

std::optional<Fault> parse(std::string_view text, ErrorBound& value) {
  const std::string advice = "give a positive number such as 1e-4, or rel:1e-4, or none";
  if (text == "none") {
    value = ErrorBound{};
    return std::nullopt;
  }
  const bool relative = text.starts_with("rel:");
  double number = 0;
  if (auto reason = parse_number(relative ? text.substr(4) : text, number)) {
    return Fault{*reason, advice};
  }
  if (number < 0 || std::signbit(number)) return Fault{"is negative", advice};
  if (number == 0) return Fault{"is zero", "for exact messages leave it out or write none"};
  if (relative && number >= 1) {
    return Fault{"would let values err by their whole range",
                 "give less than 1; one per mille is rel:1e-3"};
  }
  value.kind = relative ? ErrorBound::Kind::relative : ErrorBound::Kind::absolute;
  value.value = number;
  return std::nullopt;
}

std::optional<Fault> parse(std::string_view text, ZstdLevel& value) {
  int number = 0;
  if (auto reason = parse_integer(text, -7, 19, number)) {
    return Fault{*reason, "give a whole number from -7 (fastest) to 19 (smallest)"};
  }
  value.value = number;
  return std::nullopt;
}

std::optional<Fault> parse(std::string_view text, ZfpRate& value) {
  const std::string advice = "give the bits per value, a number from 1 to 64";
  double number = 0;
  if (auto reason = parse_number(text, number)) return Fault{*reason, advice};
  if (number < 1 || number > 64) return Fault{"is not within 1 to 64", advice};
  value.value = number;
  return std::nullopt;
}

std::optional<Fault> parse(std::string_view text, LinkSpeed& value) {
  const std::string advice = "give auto, or bits per second such as 100M, 10G or 2.5G";
  if (text == "auto") {
    value.bits_per_second = 0;
    return std::nullopt;
  }
  // Powers of 1000, as networks are sold.
  double unit = 1;
  std::string_view digits = text;
  for (const auto& [letter, power] : {std::pair{'k', 1e3}, {'K', 1e3}, {'M', 1e6}, {'G', 1e9}}) {
    if (!text.ends_with(letter)) continue;
    unit = power;
    digits.remove_suffix(1);
  }
  double number = 0;
  if (auto reason = parse_number(digits, number)) return Fault{*reason, advice};
  if (number * unit < 1e3) return Fault{"is less than 1000 bits per second", advice};
  if (number * unit > 1e15) return Fault{"is too large", advice};
  value.bits_per_second = number * unit;
  return std::nullopt;
}

std::optional<Fault> parse(std::string_view text, FilePath& value) {
  if (text.find_first_of(std::string_view("\0\n", 2)) != std::string_view::npos) {
    return Fault{"is not a file name", "give a file name without line breaks"};
  }
  value.value = text;
  return std::nullopt;
}

std::string print(Mode value) {
  return print_name(value, modes);
}
std::string print(BoundAppliesTo value) {
  return print_name(value, bound_applies_to);
}
std::string print(BoundedCodec value) {
  return print_name(value, bounded_codecs);
}
std::string print(ExactCodec value) {
  return print_name(value, exact_codecs);
}
std::string print(Algorithm value) {
  return print_name(value, algorithms);
}
std::string print(SameHost value) {
  return print_name(value, same_host);
}

std::string print(Operation value) {
  return print_name(value, operations);
}
std::string print(Datatype value) {
  return print_name(value, datatypes);
}
std::string print(Peer value) {
  return print_name(value, peers);
}

std::string print(Early value) {
  return print_name(value, early_modes);
}

std::string print(EarlyMechanism value) {
  return print_name(value, early_mechanisms);
}
std::string print(Switch value) {
  return print_name(value, switches);
}

std::string print(Bytes value) {
  if (value.value == Bytes::never) return "never";
  std::uint64_t number = value.value;
  std::string unit;
  for (const char letter : size_units) {
    if (number == 0 || number % 1024 != 0) break;
    number /= 1024;
    unit = letter;
  }
  return std::to_string(number) + unit;
}

std::string print(Count value) {
  return value.given() ? std::to_string(value.value) : "auto";
}

std::string print(ErrorBound value) {
  switch (value.kind) {
    case ErrorBound::Kind::none:
      return "none";
    case ErrorBound::Kind::absolute:
      return print_number(value.value);
    case ErrorBound::Kind::relative:
      return "rel:" + print_number(value.value);
  }
  return "?";
}

std::string print(ZstdLevel value) {
  return std::to_string(value.value);
}
std::string print(ZfpRate value) {
  return print_number(value.value);
}
std::string print(LinkSpeed value) {
  return value.given() ? print_number(value.bits_per_second) : "auto";
}
std::string print(const FilePath& value) {
  return value.value;
}

}  // namespace tightwire::settings
