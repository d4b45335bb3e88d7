#pragma once

#include <tlm>

namespace tvp::support {

/// Attributes of a generic payload that the target must not change (IEEE 1666-2011, 14.7).
struct SentAttributes {
  SentAttributes() = default;
  explicit SentAttributes(const tlm::tlm_generic_payload& payload)
      : command(payload.get_command()),
        data(payload.get_data_ptr()),
        length(payload.get_data_length()),
        streaming_width(payload.get_streaming_width()),
        enables(payload.get_byte_enable_ptr()),
        enable_length(payload.get_byte_enable_length()) {}

  /// Name of the first attribute that differs; null if none does.
  const char* difference(const tlm::tlm_generic_payload& payload) const {
    if (payload.get_command() != command) return "command";
    if (payload.get_data_ptr() != data) return "data pointer";
    if (payload.get_data_length() != length) return "data length";
    if (payload.get_streaming_width() != streaming_width) return "streaming width";
    if (payload.get_byte_enable_ptr() != enables) return "byte enable pointer";
    if (enables != nullptr && payload.get_byte_enable_length() != enable_length)
      return "byte enable length";
    return nullptr;
  }

  tlm::tlm_command command = tlm::TLM_IGNORE_COMMAND;
  const unsigned char* data = nullptr;
  unsigned length = 0;
  unsigned streaming_width = 0;
  const unsigned char* enables = nullptr;
  unsigned enable_length = 0;
};

}  // namespace tvp::support
