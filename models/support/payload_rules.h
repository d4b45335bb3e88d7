#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <tlm>

namespace tvp::support {

/// Attributes that a target must support or refuse (IEEE 1666-2011, 14.8.5, 14.15 and 14.16).
/// Returns false, with the response set, if nothing is left to do: the streaming width is shorter
/// than the data, or the payload moves nothing (TLM_IGNORE_COMMAND).
inline bool wants_transfer(tlm::tlm_generic_payload& payload) {
  if (payload.get_streaming_width() < payload.get_data_length() || payload.get_data_length() == 0)
      [[unlikely]] {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return false;
  }
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) [[unlikely]] {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return false;
  }
  return true;
}

/// The same for a payload of a user's module, of which any attribute may be wrong.
inline bool wants_user_transfer(tlm::tlm_generic_payload& payload) {
  const tlm::tlm_command command = payload.get_command();
  if (command != tlm::TLM_READ_COMMAND && command != tlm::TLM_WRITE_COMMAND) [[unlikely]] {
    payload.set_response_status(command == tlm::TLM_IGNORE_COMMAND
                                    ? tlm::TLM_OK_RESPONSE
                                    : tlm::TLM_COMMAND_ERROR_RESPONSE);
    return false;
  }
  if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == 0)
      [[unlikely]] {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return false;
  }
  if (!wants_transfer(payload)) return false;
  if (payload.get_data_ptr() == nullptr) [[unlikely]] {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return false;
  }
  return true;
}

/// The same for registers, which take no byte enables.
inline bool wants_register_transfer(tlm::tlm_generic_payload& payload) {
  if (payload.get_byte_enable_ptr() != nullptr) [[unlikely]] {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return false;
  }
  return wants_transfer(payload);
}

/// Moves the enabled ones of `bytes` bytes. Byte enables repeat; the first byte has enable number
/// `first`.
inline void copy_enabled(std::uint8_t* to, const std::uint8_t* from, std::uint64_t bytes,
                         const tlm::tlm_generic_payload& payload, std::uint64_t first = 0) {
  const std::uint8_t* const enables = payload.get_byte_enable_ptr();
  if (enables == nullptr) {
    std::memcpy(to, from, bytes);
    return;
  }
  const unsigned length = payload.get_byte_enable_length();
  for (std::uint64_t i = 0; i < bytes; ++i) {
    if (enables[(first + i) % length] == TLM_BYTE_ENABLED) to[i] = from[i];
  }
}

/// Moves the bytes of a read or write between the payload and `memory`.
inline void transfer(tlm::tlm_generic_payload& payload, std::uint8_t* memory) {
  std::uint8_t* const data = payload.get_data_ptr();
  if (payload.is_write()) {
    copy_enabled(memory, data, payload.get_data_length(), payload);
  } else {
    copy_enabled(data, memory, payload.get_data_length(), payload);
  }
}

/// transport_dbg on a memory: transfers the existing bytes from the address on and returns their
/// number.
inline unsigned debug_transfer(tlm::tlm_generic_payload& payload, std::uint8_t* memory,
                               std::uint64_t memory_bytes) {
  const std::uint64_t address = payload.get_address();
  if (address >= memory_bytes || payload.get_command() == tlm::TLM_IGNORE_COMMAND) return 0;
  const auto bytes = static_cast<unsigned>(
      std::min<std::uint64_t>(payload.get_data_length(), memory_bytes - address));
  if (payload.is_write()) {
    std::memcpy(memory + address, payload.get_data_ptr(), bytes);
  } else {
    std::memcpy(payload.get_data_ptr(), memory + address, bytes);
  }
  return bytes;
}

/// Answers a request for direct access to a memory that begins at address 0. It grants the whole
/// memory, or reports that there is none beyond its end. While the memory is observed, access is
/// refused.
inline bool grant_direct_access(const tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi,
                                std::uint8_t* memory, std::uint64_t memory_bytes,
                                bool observed = false) {
  dmi.init();
  if (payload.get_address() >= memory_bytes) {
    dmi.set_start_address(memory_bytes);
    return false;
  }
  dmi.set_start_address(0);
  dmi.set_end_address(memory_bytes - 1);
  if (observed) return false;
  dmi.set_dmi_ptr(memory);
  dmi.allow_read_write();
  return true;
}

}  // namespace tvp::support
