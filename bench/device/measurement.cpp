#include "device/measurement.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include "codec/chunked/chunked.h"
#include "codec/codec.h"
#include "device/cuda/codec.h"
#include "device/cuda/looks.h"
#include "device/host_codec.h"
#include "device/memory.h"
#include "device/processor.h"
#include "device/profile.h"
#include "support/formatted.h"

namespace tightwire::bench {

const char* const measurement_columns =
    "field,type,bound_of_range,mebibytes,same_bytes,same_sum,same_looks,within_bound,ratio,"
    "cpu_ratio,encode_gbps,decode_gbps,merge_gbps,combine_gbps,range_gbps,encode_to_host_gbps,"
    "plain_to_host_"
    "gbps,"
    "copy_gbps";

namespace {

// Beyond that, `bounded` on one core is not worth the wait.
constexpr std::size_t most_for_cpu_ratio = std::size_t{16} << 20;
constexpr std::uint32_t terms = 4;

template <class T>
device::OrderedRange range_of(std::span<const T> values) {
  device::OrderedRange range;
  for (const T value : values) {
    if (std::isfinite(value)) range.take(device::ordered_bits(value));
  }
  return range;
}

template <class T>
std::pair<double, double> ends_of(std::span<const T> values) {
  double smallest = 0;
  double largest = 0;
  bool any = false;
  for (const T value : values) {
    if (!std::isfinite(value)) continue;
    smallest = any ? std::min(smallest, double{value}) : double{value};
    largest = any ? std::max(largest, double{value}) : double{value};
    any = true;
  }
  return {smallest, largest};
}

template <class T>
bool is_within(std::span<const T> values, std::span<const std::byte> decoded, double bound) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    T got;
    std::memcpy(&got, decoded.data() + i * sizeof(T), sizeof got);
    if (std::memcmp(&got, &values[i], sizeof(T)) == 0) continue;
    if (!(std::abs(static_cast<long double>(got) - values[i]) <= bound)) return false;
  }
  return true;
}

// The field moved on by a part of it, so that sums are of unlike values.
std::vector<std::byte> moved(const fields::Field& field) {
  std::vector<std::byte> bytes = field.bytes;
  const auto by = static_cast<std::ptrdiff_t>(bytes.size() / 3 / 8 * 8);
  std::rotate(bytes.begin(), bytes.begin() + by, bytes.end());
  return bytes;
}

// Where two streams begin to differ; empty if they do not.
std::string difference(const char* what, const Stream& got, const Stream& expected) {
  if (got == expected) return "";
  const std::size_t both = std::min(got.size(), expected.size());
  const auto end = got.begin() + static_cast<std::ptrdiff_t>(both);
  const auto at = std::mismatch(got.begin(), end, expected.begin()).first - got.begin();
  return formatted("%s: %zu bytes for %zu, the first that differs is %zu\n", what, got.size(),
                   expected.size(), static_cast<std::size_t>(at));
}

class Measurement {
 public:
  Measurement(const fields::Field& field, double relative, int rounds)
      : field_(field),
        relative_(relative),
        rounds_(rounds),
        bound_(relative * fields::value_range(field)),
        coder_(static_cast<std::uint32_t>(size() / device::chunk_bytes + 1)),
        values_(size()),
        encoded_(room()),
        length_(sizeof(std::uint64_t)),
        bad_(sizeof(std::uint32_t)) {
    const auto [smallest, largest] =
        is_single() ? ends_of(field.values<float>()) : ends_of(field.values<double>());
    header_ = device::header_for(field.type, bound_, smallest, largest);
    check(coder_.error(), "the coder's memory");
    values_.fill(field.bytes);
  }

  Outcome outcome() {
    if (header_.grid != codec::bounded::GridKind::given) return {};  // the bound is too fine
    const Memory copy(size());
    const double copying = seconds("the copy on the device", [&] {
      return cudaMemcpyAsync(copy.as(), values_.as(), size(), cudaMemcpyDefault, {});
    });
    const double encoding = seconds("encode", [&] { return encode(encoded_); });
    const Stream stream = encoded();
    const double decoding = seconds("decode", [&] { return decode(copy); });
    if (bad_.value<std::uint32_t>() != 0) throw std::runtime_error("it cannot read its own bytes");
    const bool within = is_within(copy.bytes(size()));
    const std::string different =
        difference("encoded", stream, encoded_by_processor(header_, field_.bytes));
    const bool same = different.empty();
    const double ranging = seconds("range", [&] { return find_range(); });
    const bool same_looks = range_is_right() && sample_is_right(copy);
    const auto [to_host, plain_to_host] = ways_to_host();
    std::string different_sum;
    const double merging = merge(copy, different_sum);
    const double combining = combine(different_sum);
    const bool same_sum = different_sum.empty();
    std::string row = formatted(
        "%s,%s,%g,%.3g,%s,%s,%s,%s,%.2f,%s", field_.name.c_str(), fields::type_name(field_),
        relative_, static_cast<double>(size()) / (1 << 20), yes_or_no(same), yes_or_no(same_sum),
        yes_or_no(same_looks), yes_or_no(within),
        static_cast<double>(size()) / static_cast<double>(stream.size()), cpu_ratio().c_str());
    for (const double taken :
         {encoding, decoding, merging, combining, ranging, to_host, plain_to_host, copying}) {
      row += formatted(",%.4g", static_cast<double>(size()) / taken / 1e9);
    }
    return {row, same && same_sum && same_looks && within, different + different_sum};
  }

 private:
  [[nodiscard]] bool is_single() const { return field_.type == codec::ElementType::float32; }
  [[nodiscard]] std::size_t size() const { return field_.bytes.size(); }
  [[nodiscard]] std::size_t count() const { return size() / codec::element_size(field_.type); }
  [[nodiscard]] std::size_t room() const { return device::max_encoded_size(field_.type, count()); }
  static const char* yes_or_no(bool it_is) { return it_is ? "yes" : "no"; }

  template <class Work>
  double seconds(const char* what, Work work) {
    return median_seconds(rounds_, [&] { check(work(), what); });
  }

  cudaError_t encode(const Memory& to) {
    return coder_.encode(header_, values_.as(), count(), to.as(), length_.as<std::uint64_t>(), {});
  }
  cudaError_t decode(const Memory& to) {
    return coder_.decode(header_, encoded_.as(), count(), to.as(), bad_.as<std::uint32_t>(), {});
  }
  [[nodiscard]] Stream encoded() const { return bytes_written(encoded_); }
  [[nodiscard]] Stream bytes_written(const Memory& to) const {
    return to.bytes(std::min<std::size_t>(length_.value<std::uint64_t>(), room()));
  }
  [[nodiscard]] bool is_within(const Stream& decoded) const {
    return is_single() ? bench::is_within(field_.values<float>(), decoded, bound_)
                       : bench::is_within(field_.values<double>(), decoded, bound_);
  }

  cudaError_t find_range() {
    return device::find_ranges(field_.type, values_.as(), count(),
                               range_.as<device::OrderedRange>(), 1, {});
  }
  [[nodiscard]] bool range_is_right() const {
    const auto found = range_.value<device::OrderedRange>();
    const auto expected =
        is_single() ? range_of(field_.values<float>()) : range_of(field_.values<double>());
    return found.least == expected.least && found.most == expected.most;
  }
  bool sample_is_right(const Memory& out) {
    const device::Pieces pieces{count(), 32, 48};
    check(device::take_sample(field_.type, values_.as(), pieces, out.as(), {}), "sample");
    const std::size_t piece = pieces.length * codec::element_size(field_.type);
    const auto got = out.bytes(pieces.pieces * piece);
    for (std::uint32_t i = 0; i < pieces.pieces; ++i) {
      const std::size_t first = pieces.first_of(i) * codec::element_size(field_.type);
      if (std::memcmp(&got[i * piece], &field_.bytes[first], piece) != 0) return false;
    }
    return true;
  }

  // Compressed straight into memory of the host, and copied there as it is.
  std::pair<double, double> ways_to_host() {
    const Memory host(room(), Memory::Where::host);
    const double compressed = seconds("encode to the host", [&] { return encode(host); });
    if (bytes_written(host) != encoded()) throw std::runtime_error("other bytes on the host");
    const double plain = seconds("the copy to the host", [&] {
      return cudaMemcpyAsync(host.as(), values_.as(), size(), cudaMemcpyDefault, {});
    });
    return {compressed, plain};
  }

  // Time of a sum. Its incoming operand is the field itself.
  double merge(const Memory& own, std::string& different) {
    const auto header = device::header_for_sums(field_.type, bound_, terms);
    const std::vector<std::byte> moved_values = moved(field_);
    const Stream incoming = encoded_by_processor(header, field_.bytes);
    own.fill(moved_values);
    encoded_.fill(incoming);
    const Memory sum(room());
    const double taken = seconds("merge", [&] {
      return coder_.merge(header, encoded_.as(), own.as(), count(), sum.as(),
                          length_.as<std::uint64_t>(), bad_.as<std::uint32_t>(), {});
    });
    different = bad_.value<std::uint32_t>() != 0
                    ? "sum: the device takes what it adds to for damaged\n"
                    : difference("sum", bytes_written(sum),
                                 merged_by_processor(header, incoming, moved_values));
    return taken;
  }

  // The same of two encodings, that of the field and that of what was added to it.
  double combine(std::string& different) {
    const auto header = device::header_for_sums(field_.type, bound_, terms);
    const Stream first = encoded_by_processor(header, field_.bytes);
    const Stream second = encoded_by_processor(header, moved(field_));
    encoded_.fill(first);
    const Memory other(room());
    other.fill(second);
    const Memory sum(room());
    const double taken = seconds("combine", [&] {
      return coder_.combine(header, encoded_.as(), other.as(), count(), sum.as(),
                            length_.as<std::uint64_t>(), bad_.as<std::uint32_t>(), {});
    });
    different += bad_.value<std::uint32_t>() != 0
                     ? "sum of two: the device takes them for damaged\n"
                     : difference("sum of two", bytes_written(sum),
                                  combined_by_processor(header, count(), first, second));
    return taken;
  }

  // What `bounded` makes of it where it is free to choose.
  [[nodiscard]] std::string cpu_ratio() const {
    if (size() > most_for_cpu_ratio) return "";
    const codec::Codec& bounded = *codec::find(codec::Id::bounded);
    Stream out(codec::chunked::max_encoded_size(bounded, field_.type, count()));
    codec::Parameters parameters;
    parameters.error_bound = bound_;
    parameters.alone = true;
    const auto result =
        codec::chunked::encode(bounded, field_.type, field_.bytes, parameters, {}, out);
    return formatted("%.2f", static_cast<double>(size()) / static_cast<double>(result.size));
  }

  const fields::Field& field_;
  double relative_;
  int rounds_;
  double bound_;
  codec::bounded::Header header_;
  device::CudaCodec coder_;
  Memory values_;
  Memory encoded_;
  Memory length_;
  Memory bad_;
  Memory range_{sizeof(device::OrderedRange)};
};

}  // namespace

Outcome measure(const fields::Field& field, double relative, int rounds) {
  return Measurement(field, relative, rounds).outcome();
}

}  // namespace tightwire::bench
