// bench-scale-smpi METHODS OPERATIONS BYTES BOUND PREFIX BEFORE CALLS MEMORY SPEEDUPS CARRY MPI
// VALUES: collectives in simulated time, and halo, an exchange of faces; ../../scale.py starts it
// by smpirun. METHODS of raw, tightwire, ccoll (of collectives alone); BYTES of the whole vector,
// or of a face; lists with commas. BOUND is that of TIGHTWIRE_ERROR_BOUND, PREFIX of
// bench-scale-prepare's files. Of BEFORE + CALLS calls the mean of the last CALLS counts. MEMORY:
// own, or shared: all ranks write their results to the same place, and what they hold is not looked
// at. SPEEDUPS: a file (../speedups.h) for the threads of a rank, which TIGHTWIRE_THREADS says; -
// where that is 1. CARRY: seconds of a core for each byte of a frame that is sent or received. MPI:
// mpich, or any other whose algorithms SMPI's selector chooses. VALUES: shifted, each rank's are
// the field from a place of its own on; or dealt, as in terms.h. Rank 0 prints a CSV without a
// head: op,method,bytes,ranks,seconds,sent_bytes,max_error_over_bound,rms_error_over_bound,
// ranks_identical,algorithm,sum_bits
#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "calibrate/measure/world.h"
#include "codec/codec.h"
#include "comparison/baselines/ccoll.h"
#include "comparison/inputs.h"
#include "runtime/runtime.h"
#include "scale/job/calls.h"
#include "scale/job/charge.h"
#include "scale/job/errors.h"
#include "scale/job/field.h"
#include "scale/job/frames.h"
#include "scale/job/halo.h"
#include "scale/job/options.h"
#include "scale/job/results.h"
#include "scale/job/start.h"
#include "scale/job/terms.h"
#include "settings/text.h"
#include "support/measure.h"

namespace tightwire::scale {
namespace {

using comparison::Call;
using comparison::Operation;

Price price_of(const Options& options) {
  const settings::Count threads = runtime::current().settings.threads;
  Price price{read_costs(options.prefix + ".costs"),
              options.speedups == "-" ? Speedups() : Speedups(options.speedups),
              threads.given() ? threads.value : 1, options.carry_per_byte};
  if (price.threads > price.speedups.most()) {
    throw std::runtime_error("no speed-up is known of " + std::to_string(price.threads) +
                             " threads");
  }
  return price;
}

template <class T>
T over_ranks(T value, MPI_Datatype type, MPI_Op op) {
  PMPI_Allreduce(MPI_IN_PLACE, &value, 1, type, op, MPI_COMM_WORLD);
  return value;
}

// An operation on values of one size, at one rank.
struct Task {
  std::string name;
  policy::Operation operation;
  std::size_t bytes = 0;
  std::function<void(const std::string& method)> carry_out;
  std::span<float> result;
  std::function<Errors()> errors;
  std::function<bool()> is_identical;       // none: ranks receive different things
  std::function<std::uint64_t()> sum_bits;  // none: no sum

  [[nodiscard]] bool is_halo() const { return operation == policy::Operation::send; }
};

std::function<std::uint64_t()> bits_of(const Call& call) {
  if (!comparison::is_reduction(call.operation)) return {};
  return [&call] { return bits_of_sum(call); };
}

std::string text_of(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

std::string in_hex(std::uint64_t bits) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016" PRIx64, bits);
  return text.data();
}

// Some rank's codec: each chooses for its messages, where a collective's ranks choose together.
std::string way_of_messages(const Frames& frames) {
  const int largest = over_ranks(static_cast<int>(frames.codec), MPI_INT, MPI_MAX);
  const auto found = static_cast<codec::Id>(largest);
  return found == codec::Id::raw ? "plain" : std::string(codec::name_of(found));
}

// One rank's part in the job.
class Job {
 public:
  explicit Job(const Options& options)
      : options_(options),
        rank_(bench::world_rank()),
        ranks_(bench::world_size()),
        field_(options.prefix + ".f32", options.deals_terms ? dealt_terms : ranks_),
        faces_(options.prefix + ".f32", ranks_ * Halo::faces),
        price_(price_of(options)),
        plain_(options.is_mpich),
        ccoll_("ccoll", charged(comparison::bounded_coder(options.bound), price_)) {
    charge_codecs(price_);
  }

  void run() {
    for (const std::size_t bytes : options_.bytes) {
      for (const Asked& asked : options_.operations) {
        asked ? run_collective(*asked, bytes) : run_halo(bytes);
      }
    }
  }

 private:
  void require(std::size_t count) const {
    if (count == 0 || count > field_.count()) throw std::runtime_error("no such size of the field");
  }

  void run_collective(Operation operation, std::size_t bytes) {
    const std::size_t count = comparison::divisible(bytes / sizeof(float), ranks_);
    require(count);
    const Results results(count * sizeof(float), options_.shares_results);
    std::vector<float> terms;
    if (options_.deals_terms) terms = terms_of(field_, count, rank_, ranks_);
    const auto own = options_.deals_terms ? std::span<const float>(terms) : field_.of(rank_, count);
    const Call call{operation, count, rank_, ranks_, own, results.values()};
    const auto carry_out = [&](const std::string& method) {
      if (method == "ccoll") {
        run_ccoll(ccoll_, call);
      } else {
        method == "tightwire" ? run_tightwire(plain_, call) : plain_.run(call);
      }
    };
    const std::string name(name_of(operation));
    measure({name, ours(name), count * sizeof(float), carry_out, results.values(),
             [&] { return errors_of(field_, call); },
             [&] { return comparison::ranks_identical(call); }, bits_of(call)});
  }

  void run_halo(std::size_t bytes) {
    const std::size_t count = bytes / sizeof(float);
    require(count);
    const Results results(Halo::faces * count * sizeof(float), options_.shares_results);
    Halo halo(faces_, count, rank_, ranks_, results.values());
    const auto carry_out = [&](const std::string& method) {
      method == "tightwire" ? halo.run_tightwire() : halo.run_plain();
    };
    measure({"halo",
             policy::Operation::send,
             count * sizeof(float),
             carry_out,
             results.values(),
             [&] { return halo.errors(); },
             {},
             {}});
  }

  // From when the first rank begins to when the last one ends.
  double seconds_of(const std::string& method, const Task& task) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    task.carry_out(method);
    const double end = MPI_Wtime();
    return over_ranks(end, MPI_DOUBLE, MPI_MAX) - over_ranks(begin, MPI_DOUBLE, MPI_MIN);
  }

  void measure(const Task& task) {
    for (const std::string& method : options_.methods) {
      if (!task.is_halo() || method != "ccoll") measure(method, task);
    }
  }

  void measure(const std::string& method, const Task& task) {
    // Of another method's result nothing is to be left.
    if (!options_.shares_results)
      std::ranges::fill(task.result, std::numeric_limits<float>::quiet_NaN());
    // Tags are agreed on, estimates made, ways chosen. Plain calls are alike.
    const bool learns = method == "tightwire";
    for (int i = 0; i < (learns ? options_.calls_before : 1); ++i) seconds_of(method, task);
    const Frames before = frames_since({}, task.operation);
    double seconds = 0;
    for (int i = 0; i < options_.calls; ++i) seconds += seconds_of(method, task) / options_.calls;
    const Frames after = frames_since(before, task.operation);
    const auto sent = over_ranks((after.sent - before.sent) / static_cast<unsigned>(options_.calls),
                                 MPI_UINT64_T, MPI_SUM);
    const std::string way = task.is_halo() ? way_of_messages(after) : after.algorithm;
    const Checked checked = check(task);
    if (rank_ != 0) return;
    const bool is_ours = method == "tightwire";
    std::printf("%s,%s,%zu,%d,%.9g,%s,%s,%s,%s,%s,%s\n", task.name.c_str(), method.c_str(),
                task.bytes, ranks_, seconds, is_ours ? std::to_string(sent).c_str() : "",
                checked.error.c_str(), checked.rms_error.c_str(), checked.same_bits.c_str(),
                is_ours ? way.c_str() : "", checked.sum_bits.c_str());
    std::fflush(stdout);
  }

  // Of the last call's result: the largest error of all ranks and the root of the mean square,
  // over the bound, 1 or 0 where all are to hold the same, and what tells a sum's bits from others.
  // Nothing of one that all ranks have written over each other.
  struct Checked {
    std::string error;
    std::string rms_error;
    std::string same_bits;
    std::string sum_bits;
  };
  [[nodiscard]] Checked check(const Task& task) const {
    if (options_.shares_results) return {};
    const Errors own = task.errors();
    const double largest = over_ranks(own.largest, MPI_DOUBLE, MPI_MAX);
    const double squares = over_ranks(own.squares, MPI_DOUBLE, MPI_SUM);
    const double values = over_ranks(own.values, MPI_DOUBLE, MPI_SUM);
    std::string same_bits;
    std::string sum_bits;
    if (task.sum_bits) sum_bits = in_hex(over_ranks(task.sum_bits(), MPI_UINT64_T, MPI_SUM));
    if (task.is_identical) same_bits = task.is_identical() ? "1" : "0";
    return {text_of(largest / options_.bound),
            text_of(std::sqrt(squares / values) / options_.bound), same_bits, sum_bits};
  }

  const Options& options_;
  int rank_;
  int ranks_;
  SharedField field_;
  SharedField faces_;
  Price price_;
  PlainMpi plain_;
  comparison::Ccoll ccoll_;
};

int run(int argc, char** argv) {
  try {
    const Options options = parse(argc, argv);
    start();
    Job(options).run();
    finish();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-scale-smpi: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
  }
}

}  // namespace
}  // namespace tightwire::scale

// SMPI finds it by name in each rank's copy of this library.
extern "C" [[gnu::visibility("default")]] int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int code = tightwire::scale::run(argc, argv);
  MPI_Finalize();
  return code;
}
