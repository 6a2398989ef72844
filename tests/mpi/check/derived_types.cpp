// Bcast with derived types: other type maps at the root than at the receivers, but equal
// signatures; gaps in the layout stay as they were.
#include "exact_cases.h"
#include "float_cases.h"
#include "sections.h"

namespace check {
namespace {

constexpr std::byte gap{0x5A};

class Type {
 public:
  explicit Type(MPI_Datatype type) : type_(type) { MPI_Type_commit(&type_); }
  Type(const Type&) = delete;
  Type& operator=(const Type&) = delete;
  ~Type() { MPI_Type_free(&type_); }
  [[nodiscard]] MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_;
};

MPI_Datatype every_second(int count, MPI_Datatype type) {
  MPI_Datatype result = MPI_DATATYPE_NULL;
  MPI_Type_vector(count, 1, 2, type, &result);
  return result;
}

MPI_Datatype contiguous(int count, MPI_Datatype type) {
  MPI_Datatype result = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(count, type, &result);
  return result;
}

// Value i lies at element i x stride of the buffer.
struct Layout {
  MPI_Datatype type;
  int count;
  std::size_t stride;
};

template <class T>
void check_layouts(Checker& checker, const char* name, std::size_t values, int root,
                   const Layout& at_root, const Layout& elsewhere) {
  checker.begin_case(text("bcast, root ", root, ", ", values, ' ', name));
  const bool sends = rank_in(MPI_COMM_WORLD) == root;
  const Layout& mine = sends ? at_root : elsewhere;
  const auto sent = make<T>(Pattern::smooth, checker.options().seed, root, values);
  std::vector<T> field(values * mine.stride);
  std::memset(field.data(), static_cast<int>(gap), field.size() * sizeof(T));
  GuardedBuffer buffer(std::as_bytes(std::span(field)));
  for (std::size_t i = 0; sends && i < values; ++i) {
    buffer.template as<T>()[i * mine.stride] = sent[i];
  }
  checker.expect_success(MPI_Bcast(buffer.data(), mine.count, mine.type, root, MPI_COMM_WORLD),
                         "MPI_Bcast");
  const double error = checker.bound().for_range(range_of_all<T>(MPI_COMM_SELF, sent));
  const auto received = buffer.template as<const T>();
  T untouched{};
  std::memset(&untouched, static_cast<int>(gap), sizeof untouched);
  for (std::size_t i = 0; i < received.size(); ++i) {
    if (i % mine.stride != 0) {
      if (std::memcmp(&received[i], &untouched, sizeof untouched) != 0) {
        checker.fail(text("the gap at element ", i, " was written to"));
        return;
      }
      continue;
    }
    const T value = sent[i / mine.stride];
    const double off = std::abs(static_cast<double>(received[i]) - static_cast<double>(value));
    if (!(off <= (sends ? 0 : error))) {
      checker.fail(text("element ", i, " is ", received[i], ", sent ", value));
      return;
    }
  }
}

template <class T>
void check_maps(Checker& checker, MPI_Datatype type, const char* name, std::size_t bytes) {
  const auto count = static_cast<int>(bytes / sizeof(T));
  const Type spread(every_second(count, type));
  const Type block(contiguous(count, type));
  const Type pairs(contiguous(2, type));
  const Layout plain{type, count, 1};
  const Layout whole{block.get(), 1, 1};
  const Layout strided{spread.get(), 1, 2};
  const int last = size_of(MPI_COMM_WORLD) - 1;
  const std::size_t values = count;
  check_layouts<T>(checker, text(name, ", strided at the root").c_str(), values, 0, strided, plain);
  check_layouts<T>(checker, text(name, ", strided elsewhere").c_str(), values, last, plain,
                   strided);
  check_layouts<T>(checker, text(name, ", strided everywhere").c_str(), values, last, strided,
                   strided);
  check_layouts<T>(checker, text(name, ", one block at the root").c_str(), values, 0, whole, plain);
  if (count % 2 == 0) {
    check_layouts<T>(checker, text(name, ", pairs elsewhere").c_str(), values, 0, plain,
                     {pairs.get(), count / 2, 1});
  }
}

struct Record {
  int number;
  double weight;
  char tag[3];
};

// Mixed records are not floating-point data: they arrive exactly, bound or not.
void check_records(Checker& checker, std::size_t bytes) {
  checker.begin_case("bcast of records of int, double and 3 chars");
  const int lengths[] = {1, 1, 3};
  const MPI_Aint places[] = {offsetof(Record, number), offsetof(Record, weight),
                             offsetof(Record, tag)};
  const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
  MPI_Datatype tight = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(3, lengths, places, types, &tight);
  MPI_Datatype resized = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(tight, 0, sizeof(Record), &resized);
  MPI_Type_free(&tight);
  const Type record(resized);
  std::vector<Record> records(bytes / sizeof(Record));
  const bool root = rank_in(MPI_COMM_WORLD) == 0;
  const auto expected = [](std::size_t i) {
    return Record{static_cast<int>(i * 31), 0.1 * static_cast<double>(i), {'a', 'b', 'c'}};
  };
  for (std::size_t i = 0; root && i < records.size(); ++i) {
    records[i] = expected(i);
  }
  checker.expect_success(
      MPI_Bcast(records.data(), static_cast<int>(records.size()), record.get(), 0, MPI_COMM_WORLD),
      "MPI_Bcast");
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Record wanted = expected(i);
    const bool right = records[i].number == wanted.number && records[i].weight == wanted.weight &&
                       std::memcmp(records[i].tag, wanted.tag, 3) == 0;
    if (!right) {
      checker.fail(text("record ", i, " is wrong"));
      return;
    }
  }
}

}  // namespace

void check_derived_types(Checker& checker) {
  for (const auto size : checker.options().sizes) {
    check_maps<float>(checker, MPI_FLOAT, "floats", size + 8);
    check_maps<double>(checker, MPI_DOUBLE, "doubles", size + 8);
    check_records(checker, size * 2);
  }
}

}  // namespace check
