#include "interpose/variables/performance_variables.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "policy/call.h"
#include "runtime/runtime.h"

namespace tightwire::special {
namespace {

using Value = unsigned long long;

template <class Member>
Value sum(Member member, bool compressed) {
  Value all = 0;
  for (const runtime::Row& row : runtime::current().statistics.rows()) {
    if ((row.plan.tier != policy::Tier::raw) == compressed) all += row.*member;
  }
  return all;
}

// Of collectives and of messages between two ranks.
Value nanoseconds(runtime::Phase phase) {
  const runtime::Statistics& statistics = runtime::current().statistics;
  double seconds = 0;
  for (const runtime::Row& row : statistics.rows()) seconds += row.split.of(phase);
  if (phase == runtime::Phase::encode) seconds += statistics.encoding_seconds();
  if (phase == runtime::Phase::decode) seconds += statistics.decoding_seconds();
  return static_cast<Value>(1e9 * seconds);
}

struct Variable {
  const char* name;
  const char* description;
  Value (*read)();
};

constexpr std::array variables{
    Variable{"tightwire_calls_compressed", "calls of this rank whose values were compressed",
             [] { return sum(&runtime::Row::calls, true); }},
    Variable{"tightwire_calls_passed", "calls of this rank that went to MPI as they were",
             [] { return sum(&runtime::Row::calls, false); }},
    Variable{"tightwire_bytes_before", "bytes of the values that this rank sent compressed",
             [] { return sum(&runtime::Row::bytes_before, true); }},
    Variable{"tightwire_bytes_after", "bytes that this rank sent for them",
             [] { return sum(&runtime::Row::bytes_after, true); }},
    Variable{"tightwire_messages_predicted", "messages predicted from earlier ones",
             []() -> Value { return runtime::current().statistics.predicted().messages; }},
    Variable{"tightwire_encoding_nanoseconds", "time of this rank in which it encoded values",
             [] { return nanoseconds(runtime::Phase::encode); }},
    Variable{"tightwire_combining_nanoseconds",
             "time in which it decoded, added and encoded in one",
             [] { return nanoseconds(runtime::Phase::combine); }},
    Variable{"tightwire_decoding_nanoseconds", "time in which it decoded values",
             [] { return nanoseconds(runtime::Phase::decode); }}};
constexpr int own_count = static_cast<int>(variables.size());

// A handle of ours is the place of one of these.
std::array<char, variables.size()> places{};

MPI_T_pvar_handle handle_of(int index) {
  return reinterpret_cast<MPI_T_pvar_handle>(&places[static_cast<std::size_t>(index)]);
}

// nullptr: it is one of MPI's.
const Variable* variable_of(MPI_T_pvar_handle handle) {
  for (int i = 0; i < own_count; ++i) {
    if (handle == handle_of(i)) return &variables[static_cast<std::size_t>(i)];
  }
  return nullptr;
}

bool is_own(int index) {
  return index >= 0 && index < own_count;
}

// As MPI gives texts (MPI 4.0, section 15.3.3): cut to the room that there is, and the room needed.
void give(const char* text, char* room, int* length) {
  if (length == nullptr) return;
  const int needed = static_cast<int>(std::strlen(text)) + 1;
  if (room != nullptr && *length > 0) {
    const int size = std::min(*length, needed);
    std::memcpy(room, text, static_cast<std::size_t>(size));
    room[size - 1] = '\0';
  }
  *length = needed;
}

template <class Value>
void put(Value* where, Value value) {
  if (where != nullptr) *where = value;
}

}  // namespace

int t_pvar_get_num(int* num_pvar) {
  const int code = PMPI_T_pvar_get_num(num_pvar);
  if (code == MPI_SUCCESS) *num_pvar += own_count;
  return code;
}

int t_pvar_get_info(int pvar_index, char* name, int* name_len, int* verbosity, int* var_class,
                    MPI_Datatype* datatype, MPI_T_enum* enumtype, char* desc, int* desc_len,
                    int* bind, int* readonly, int* continuous, int* atomic) {
  if (!is_own(pvar_index)) {
    const int index = pvar_index < 0 ? pvar_index : pvar_index - own_count;
    return PMPI_T_pvar_get_info(index, name, name_len, verbosity, var_class, datatype, enumtype,
                                desc, desc_len, bind, readonly, continuous, atomic);
  }
  const Variable& variable = variables[static_cast<std::size_t>(pvar_index)];
  give(variable.name, name, name_len);
  give(variable.description, desc, desc_len);
  put(verbosity, static_cast<int>(MPI_T_VERBOSITY_USER_BASIC));
  put(var_class, static_cast<int>(MPI_T_PVAR_CLASS_COUNTER));
  put(datatype, static_cast<MPI_Datatype>(MPI_UNSIGNED_LONG_LONG));
  put(enumtype, static_cast<MPI_T_enum>(MPI_T_ENUM_NULL));
  put(bind, static_cast<int>(MPI_T_BIND_NO_OBJECT));
  put(readonly, 1);
  put(continuous, 1);
  put(atomic, 0);
  return MPI_SUCCESS;
}

int t_pvar_get_index(const char* name, int var_class, int* pvar_index) {
  for (int i = 0; name != nullptr && i < own_count; ++i) {
    if (std::strcmp(name, variables[static_cast<std::size_t>(i)].name) != 0) continue;
    if (var_class != MPI_T_PVAR_CLASS_COUNTER) return MPI_T_ERR_INVALID_NAME;
    put(pvar_index, i);
    return MPI_SUCCESS;
  }
  const int code = PMPI_T_pvar_get_index(name, var_class, pvar_index);
  if (code == MPI_SUCCESS) *pvar_index += own_count;
  return code;
}

int t_pvar_handle_alloc(MPI_T_pvar_session session, int pvar_index, void* obj_handle,
                        MPI_T_pvar_handle* handle, int* count) {
  if (!is_own(pvar_index)) {
    const int index = pvar_index < 0 ? pvar_index : pvar_index - own_count;
    return PMPI_T_pvar_handle_alloc(session, index, obj_handle, handle, count);
  }
  put(handle, handle_of(pvar_index));
  put(count, 1);
  return MPI_SUCCESS;
}

int t_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle* handle) {
  if (handle == nullptr || variable_of(*handle) == nullptr) {
    return PMPI_T_pvar_handle_free(session, handle);
  }
  *handle = MPI_T_PVAR_HANDLE_NULL;
  return MPI_SUCCESS;
}

// They count all the time.
int t_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return variable_of(handle) != nullptr ? MPI_T_ERR_PVAR_NO_STARTSTOP
                                        : PMPI_T_pvar_start(session, handle);
}

int t_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return variable_of(handle) != nullptr ? MPI_T_ERR_PVAR_NO_STARTSTOP
                                        : PMPI_T_pvar_stop(session, handle);
}

int t_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf) {
  const Variable* const variable = variable_of(handle);
  if (variable == nullptr) return PMPI_T_pvar_read(session, handle, buf);
  const Value value = variable->read();
  std::memcpy(buf, &value, sizeof value);
  return MPI_SUCCESS;
}

int t_pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void* buf) {
  return variable_of(handle) != nullptr ? MPI_T_ERR_PVAR_NO_WRITE
                                        : PMPI_T_pvar_write(session, handle, buf);
}

int t_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return variable_of(handle) != nullptr ? MPI_T_ERR_PVAR_NO_WRITE
                                        : PMPI_T_pvar_reset(session, handle);
}

int t_pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf) {
  return variable_of(handle) != nullptr ? MPI_T_ERR_PVAR_NO_ATOMIC
                                        : PMPI_T_pvar_readreset(session, handle, buf);
}

int t_category_get_pvars(int cat_index, int len, int indices[]) {
  const int code = PMPI_T_category_get_pvars(cat_index, len, indices);
  if (code != MPI_SUCCESS) return code;
  std::array<char, 2> name{};  // MPICH wants room for it
  std::array<char, 2> description{};
  int name_length = name.size();
  int description_length = description.size();
  int settings = 0;
  int filled = 0;
  int categories = 0;
  PMPI_T_category_get_info(cat_index, name.data(), &name_length, description.data(),
                           &description_length, &settings, &filled, &categories);
  for (int i = 0; i < std::min(len, filled); ++i) indices[i] += own_count;
  return code;
}

}  // namespace tightwire::special
