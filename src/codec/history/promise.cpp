#include "codec/history/promise.h"

#include "codec/exact/promise.h"
#include "codec/float_environment.h"
#include "codec/history/reference_parts.h"
#include "codec/history/stretches.h"
#include "codec/rows/structure.h"

namespace tightwire::codec {
namespace {

// Within a bound: what `exact` makes of the integers, with those of the references.
exact::RatiosInTime ratios_within_bound(const exact::Header& header,
                                        std::span<const std::byte> values,
                                        const Parameters& parameters) {
  const Stretches stretches(header.count, header.components, Stretches::most);
  const GridSample sample(header.type, stretches, 1 / (2 * parameters.error_bound), values,
                          parameters.references);
  if (!sample) return {};
  return exact::ratios_in_time(sample.header(header.components), sample.message(),
                               sample.references().all());
}

exact::RatiosInTime ratios(const exact::Header& header, std::span<const std::byte> values,
                           const Parameters& parameters) {
  if (header.count == 0) return {};
  if (parameters.error_bound > 0 && is_floating_point(header.type)) {
    return ratios_within_bound(header, values, parameters);
  }
  return exact::ratios_in_time(header, values, parameters.references);
}

}  // namespace

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
  promise.ratio = ratios(header, values, parameters);
  promise.order = exact::order_that_pays(promise.ratio);
  return promise;
}

}  // namespace tightwire::codec
