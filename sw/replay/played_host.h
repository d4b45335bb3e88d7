#pragma once

#include <cstdint>
#include <string>

#include "foundation/recording/host_message.h"
#include "foundation/recording/known_bytes.h"
#include "sw/runtime/devices/device_library.h"

namespace tvp::replay {

/// The host's memory from the recording. Only one can exist at a time, because the C ABI calls
/// functions without a context.
class PlayedHost {
 public:
  explicit PlayedHost(runtime::DeviceLibrary& library);
  ~PlayedHost();
  PlayedHost(const PlayedHost&) = delete;
  PlayedHost& operator=(const PlayedHost&) = delete;

  void hold(const foundation::HostMessage& message, const std::string& where);
  /// Throws Fault(kDescription) if the chips have read bytes that no line contains.
  void check(const std::string& where) const;

 private:
  static void read(std::uint64_t address, void* to, std::uint32_t bytes);
  static void write(std::uint64_t address, const void* from, std::uint32_t bytes);

  static PlayedHost* self_;
  foundation::KnownBytes memory_;
  std::string missing_;
};

}  // namespace tvp::replay
