#include "codec/estimate/value_range.h"

#include <cmath>

#include "fields/fields.h"

namespace tightwire::fields {

double value_range(const Field& field) {
  if (!codec::is_floating_point(field.type)) return 1;
  const codec::ValueRange range = codec::value_range(field.type, field.bytes);
  return range.constant() ? std::abs(range.smallest) : range.width();
}

}  // namespace tightwire::fields
