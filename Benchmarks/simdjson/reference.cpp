// The reference for decoding request bodies: simdjson's on-demand parser, which visits every value of every
// event, as a decoder must that stores none it has not checked, and copies it into lines.
#include <simdjson.h>

#include <string>

using namespace simdjson;

namespace {
ondemand::parser parser;
std::string lines;

void copy(std::string_view text) {
  lines.append(text.data(), text.size());
  lines.push_back('\t');
}

void copy(ondemand::value value) {
  switch (value.type().value()) {
    case ondemand::json_type::string: copy(value.get_string().value()); break;
    case ondemand::json_type::number:
      (void)value.get_number().value();
      copy(value.raw_json_token());
      break;
    case ondemand::json_type::object:
      for (auto field : value.get_object()) {
        copy(field.unescaped_key().value());
        copy(field.value().value());
      }
      break;
    case ondemand::json_type::array:
      for (auto element : value.get_array()) copy(element.value());
      break;
    default: copy(value.raw_json_token());
  }
}
}  // namespace

// Reads a body with `padding` more bytes behind it that may be read; returns how many events it has, or
// -1 when it cannot be read.
extern "C" long footfall_simdjson_events(const char *body, size_t length, size_t padding) {
  lines.clear();
  long events = 0;
  try {
    ondemand::document document = parser.iterate(body, length, length + padding);
    for (auto field : document.get_object()) {
      if (field.unescaped_key().value() != "events") {
        copy(std::string_view(field.value().get_object().value().raw_json()));
        continue;
      }
      for (ondemand::object event : field.value().get_array()) {
        for (auto part : event) {
          copy(part.unescaped_key().value());
          copy(part.value().value());
        }
        lines.push_back('\n');
        events += 1;
      }
    }
  } catch (const simdjson_error &) {
    return -1;
  }
  return lines.empty() ? -1 : events;
}

// How many bytes must be readable behind a body.
extern "C" size_t footfall_simdjson_padding() { return SIMDJSON_PADDING; }
