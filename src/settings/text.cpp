// Values that are one of a few names.
#include "settings/text.h"

#include <array>
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
#define TIGHTWIRE_BOUNDED_VARIANT(id, name, ...) Name<BoundedCodec>{name, BoundedCodec::id},
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
constexpr std::array histories{
    Name<History>{"off", History::off},
    Name<History>{"auto", History::automatic},
};
constexpr std::array devices{
    Name<Device>{"auto", Device::automatic},
    Name<Device>{"stage", Device::stage},
    Name<Device>{"compress", Device::compress},
    Name<Device>{"off", Device::off},
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
    Name<Operation>{"neighbor-allgather", Operation::neighbor_allgather},
    Name<Operation>{"neighbor-alltoall", Operation::neighbor_alltoall},
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

// However it is started: "iallreduce" and "allreduce-init" are "allreduce".
std::string_view kind_of_call(std::string_view text) {
  constexpr std::string_view init = "-init";
  if (text.ends_with(init)) return text.substr(0, text.size() - init.size());
  return text.starts_with('i') ? text.substr(1) : text;
}

template <class Type, class Names>
std::string print_name(Type value, const Names& names) {
  for (const auto& [name, named] : names) {
    if (value == named) return std::string(name);
  }
  return "?";
}

}  // namespace

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

std::optional<Fault> parse(std::string_view text, History& value) {
  return parse_name(text, histories, value);
}

std::optional<Fault> parse(std::string_view text, Device& value) {
  return parse_name(text, devices, value);
}

std::optional<Fault> parse(std::string_view text, Operation& value) {
  if (!parse_name(kind_of_call(text), operations, value)) return std::nullopt;
  return not_one_of(text, operations);
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

std::string print(History value) {
  return print_name(value, histories);
}

std::string print(Device value) {
  return print_name(value, devices);
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

std::string print(const FilePath& value) {
  return value.value;
}

}  // namespace tightwire::settings
