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

/// Writes what the host does to the chips into a file, message by message
/// (foundation/recording/README.md), so that what a program has done until it was killed is there,
/// too. Stands between the chips and the memory of the host: what they read there is recorded.
class HostRecorder : public host::HostMemory {
 public:
  /// Begins the file with `title`, a comment. Throws Fault(kDescription) when it cannot be written,
  /// as all others here do.
  HostRecorder(const std::string& file, const std::string& title, host::HostMemory& memory);
  ~HostRecorder() override;
  HostRecorder(const HostRecorder&) = delete;
  HostRecorder& operator=(const HostRecorder&) = delete;

  void listen(DeviceAccess& devices);
  /// After the cycles have passed: what the chips read of the host meanwhile stands before.
  void clocked(std::uint32_t cycles);
  /// Sets which bytes of later reads of tiles are measured times; without a value none are.
  void mark(const std::optional<foundation::MeasuredTimes>& times) { times_ = times; }
  /// A line for people.
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

  /// In as many messages as the form asks for.
  void record(foundation::HostMessage message, const host::AccessListener::Access& access);
  void put(const std::string& line);
  [[noreturn]] void cannot_write() const;

  std::string file_;
  host::HostMemory& memory_;
  int descriptor_ = -1;
  std::vector<std::unique_ptr<Chip>> chips_;
  std::optional<foundation::MeasuredTimes> times_;
  foundation::KnownBytes told_;  ///< of the host's memory, what the file says already
};

}  // namespace tvp::platform
