#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "foundation/recording/host_message.h"
#include "foundation/recording/known_bytes.h"
#include "models/host/access_listener.h"
#include "models/host/host_memory.h"
#include "platform/machine/device_access.h"

namespace tvp::platform {

/// Writes the host's accesses to the chips into a file (foundation/recording/README.md). Each
/// message is written at once, so the file is complete up to a kill of the program. The recorder
/// also records what chips read of the host's memory.
class HostRecorder : public host::HostMemory {
 public:
  /// Begins the file with the comment `title`. This and all other functions here throw
  /// Fault(kDescription) if the file cannot be written.
  HostRecorder(const std::string& file, const std::string& title, host::HostMemory& memory);
  ~HostRecorder() override;
  HostRecorder(const HostRecorder&) = delete;
  HostRecorder& operator=(const HostRecorder&) = delete;

  void listen(DeviceAccess& devices);
  /// Call it after the cycles, so that the chips' reads of host memory during them come first.
  void clocked(std::uint32_t cycles);
  /// Sets which bytes of later reads of tiles are measured times; none without a value.
  void mark(const std::optional<foundation::MeasuredTimes>& times) { times_ = times; }
  /// Writes a comment line.
  void comment(const std::string& text);
  void ended();

  // host::HostMemory
  bool available() const override { return memory_.available(); }
  void read(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes) override;
  void write(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes) override;

 private:
  /// The accesses of one chip.
  class Chip : public host::AccessListener {
   public:
    Chip(HostRecorder& recorder, unsigned device) : recorder_(recorder), device_(device) {}
    void tile_accessed(unsigned x, unsigned y, const Access& access) override;
    void bar_accessed(unsigned bar, const Access& access) override;

   private:
    HostRecorder& recorder_;
    unsigned device_;
  };

  /// Splits the access into as many messages as the format needs.
  void record(foundation::HostMessage message, const host::AccessListener::Access& access);
  void put(const std::string& line);
  [[noreturn]] void cannot_write() const;

  std::string file_;
  host::HostMemory& memory_;
  int descriptor_ = -1;
  std::vector<std::unique_ptr<Chip>> chips_;
  std::optional<foundation::MeasuredTimes> times_;
  foundation::KnownBytes told_;  ///< bytes of the host's memory that the file holds already
};

}  // namespace tvp::platform
