// bench_codec_threads: chunked coding by 1 to N threads, in alternation; ../codec_threads.py shows
// the CSV. `memcpy` is the memory's own scaling; `raw` copies twice, into frames and those
// together.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "calibrate/measure/timing.h"
#include "codec/chunked/chunked.h"
#include "os/thread_pool.h"
#include "support/codec_benchmark.h"
#include "support/formatted.h"
#include "support/measure.h"

namespace tightwire::bench {
namespace {

struct Options : CodecOptions {
  double bound = 1e-3;
};

struct Subject {
  const char* field;
  codec::Id codec;
};
constexpr Subject subjects[] = {
    {"turbulence", codec::Id::raw},   {"turbulence", codec::Id::bounded},
    {"gradient", codec::Id::bounded}, {"quiet_wavefield", codec::Id::bounded},
    {"turbulence", codec::Id::zstd},  {"climate", codec::Id::exact},
};

struct Times {
  std::vector<double> encode;
  std::vector<double> decode;
};

// What is timed, there and back.
class Coder {
 public:
  virtual ~Coder() = default;
  virtual void encode(os::ThreadPool& pool) = 0;
  virtual void decode(os::ThreadPool& pool) = 0;
  [[nodiscard]] virtual double ratio() const = 0;
};

class ChunkedCoder final : public Coder {
 public:
  ChunkedCoder(const fields::Field& field, const codec::Codec& codec, double bound)
      : field_(field),
        codec_(codec),
        encoded_(codec::chunked::max_encoded_size(
            codec, field.type, field.bytes.size() / codec::element_size(field.type))),
        decoded_(field.bytes.size()) {
    parameters_.error_bound = bound;
    if (field.shape.size() > 1) {
      parameters_.row_length = static_cast<std::uint32_t>(field.shape.back());
    }
  }

  void encode(os::ThreadPool& pool) override {
    size_ = size_of(codec::chunked::encode(codec_, field_.type, field_.bytes, parameters_,
                                           options_of(pool), encoded_));
  }
  void decode(os::ThreadPool& pool) override {
    size_of(codec::chunked::decode(field_.type, std::span(encoded_).first(size_), options_of(pool),
                                   decoded_));
  }
  [[nodiscard]] double ratio() const override {
    return static_cast<double>(field_.bytes.size()) / static_cast<double>(size_);
  }

 private:
  static codec::chunked::Options options_of(os::ThreadPool& pool) {
    codec::chunked::Options options;
    options.pool = &pool;
    return options;
  }
  static std::size_t size_of(const codec::Result& result) {
    if (!result.ok()) throw std::runtime_error(std::string(codec::describe(result.error)));
    return result.size;
  }

  const fields::Field& field_;
  const codec::Codec& codec_;
  codec::Parameters parameters_;
  std::vector<std::byte> encoded_;
  std::vector<std::byte> decoded_;
  std::size_t size_ = 0;
};

// memcpy() by all threads: what memory allows.
class Copier final : public Coder {
 public:
  explicit Copier(const fields::Field& field)
      : from_(field.bytes), there_(from_.size()), back_(from_.size()) {}

  void encode(os::ThreadPool& pool) override { copy(pool, from_, there_); }
  void decode(os::ThreadPool& pool) override { copy(pool, there_, back_); }
  [[nodiscard]] double ratio() const override { return 1; }

 private:
  struct Copy {
    std::span<const std::byte> from;
    std::span<std::byte> to;
    std::atomic<std::size_t> next = 0;

    void work() {
      constexpr std::size_t block = std::size_t{1} << 20;
      for (;;) {
        const std::size_t begin = next.fetch_add(block, std::memory_order_relaxed);
        if (begin >= from.size()) return;
        std::memcpy(to.data() + begin, from.data() + begin, std::min(block, from.size() - begin));
      }
    }
  };

  static void copy(os::ThreadPool& pool, std::span<const std::byte> from, std::span<std::byte> to) {
    Copy all{from, to};
    const auto work = [](void* context, std::span<std::byte>, std::size_t) {
      static_cast<Copy*>(context)->work();
    };
    if (!pool.run({work, &all, 0, pool.available()})) all.work();
  }

  std::span<const std::byte> from_;
  std::vector<std::byte> there_;
  std::vector<std::byte> back_;
};

class Contest {
 public:
  Contest(Coder& coder, unsigned most) : coder_(coder), times_(most) {
    for (unsigned threads = 1; threads <= most; ++threads) {
      pools_.push_back(std::make_unique<os::ThreadPool>(threads));
      time_once(threads);  // starts the threads and touches the buffers
      times_[threads - 1] = {};
    }
  }

  void round() {
    for (unsigned threads = 1; threads <= times_.size(); ++threads) time_once(threads);
  }

  [[nodiscard]] const std::vector<Times>& times() const { return times_; }

 private:
  void time_once(unsigned threads) {
    os::ThreadPool& pool = *pools_[threads - 1];
    Times& times = times_[threads - 1];
    times.encode.push_back(seconds_of([&] { coder_.encode(pool); }));
    times.decode.push_back(seconds_of([&] { coder_.decode(pool); }));
  }

  Coder& coder_;
  std::vector<std::unique_ptr<os::ThreadPool>> pools_;
  std::vector<Times> times_;
};

constexpr const char* header =
    "field,type,codec,error_bound_rel,threads,encode_GBps,decode_GBps,encode_speedup,"
    "decode_speedup,ratio\n";

std::string rows_of(const fields::Field& field, const std::string& name, double relative_bound,
                    Coder& coder, int rounds) {
  Contest contest(coder, os::ThreadPool().available());
  for (int round = 0; round < rounds; ++round) contest.round();
  const auto size = static_cast<double>(field.bytes.size());
  const double encode_alone = median(contest.times().front().encode);
  const double decode_alone = median(contest.times().front().decode);
  std::string rows;
  for (std::size_t i = 0; i < contest.times().size(); ++i) {
    const double encode = median(contest.times()[i].encode);
    const double decode = median(contest.times()[i].decode);
    rows += formatted("%s,%s,%s,%g,%zu,%.4g,%.4g,%.3f,%.3f,%.6g\n", field.name.c_str(),
                      fields::type_name(field), name.c_str(), relative_bound, i + 1,
                      size / encode / 1e9, size / decode / 1e9, encode_alone / encode,
                      decode_alone / decode, coder.ratio());
  }
  return rows;
}

void run(const Options& options) {
  std::string csv = header;
  const fields::Field copied = options.field(subjects[0].field);
  Copier copier(copied);
  csv += rows_of(copied, "memcpy", 0, copier, options.rounds);
  for (const Subject& subject : subjects) {
    const codec::Codec* const codec = codec::find(subject.codec);
    if (codec == nullptr) continue;
    const fields::Field field = options.field(subject.field);
    ChunkedCoder coder(field, *codec, options.bound * fields::value_range(field));
    csv += rows_of(field, std::string(codec->name()), codec->lossy() ? options.bound : 0, coder,
                   options.rounds);
  }
  write_file(options.output, csv);
}

int benchmark(int argc, char** argv) {
  Options options;
  options.output = "results/codec_threads.csv";
  options.rounds = 15;
  CLI::App app("Measures chunked coding by several threads.", "bench_codec_threads");
  add_options(app, options);
  app.add_option("--bound", options.bound, "error bound, as part of the value range")
      ->check(CLI::Range(1e-12, 1.0))
      ->capture_default_str();
  if (const auto code = help_or_complain(app, argc, argv)) return *code;
  run(options);
  return 0;
}

}  // namespace
}  // namespace tightwire::bench

int main(int argc, char** argv) {
  return tightwire::bench::guarded("bench_codec_threads", tightwire::bench::benchmark, argc, argv);
}
