#include "codec/history/promise.h"

#include "codec/exact/promise.h"
#include "codec/float_environment.h"
#include "codec/history/reference_parts.h"
#include "codec/rows/structure.h"

namespace tightwire::codec {

HistoryPromise promise_of_history(ElementType type, std::span<const std::byte> values,
                                  const Parameters& parameters) noexcept {
  HistoryPromise promise;
  if (!suit(parameters.references, values.size())) return promise;
  const FloatEnvironment environment;
  exact::Header header;
  header.type = type;
  header.count = values.size() / element_size(type);
  header.components = components_for(parameters, header.count);
  header.rows.length = row_length_for(parameters, header.components);
  if (header.rows.length != 0) {
    header.rows.in_plane = rows_in_plane_for(parameters, header.components, header.count);
  }
  promise.ratio = exact::ratios_in_time(header, values, parameters.references);
  promise.order = exact::order_that_pays(promise.ratio);
  return promise;
}

}  // namespace tightwire::codec
