#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sw/collectives/execution/collective_executor.h"
#include "sw/collectives/library/call.h"
#include "sw/collectives/library/device_memory.h"
#include "sw/runtime/metal_classes.h"

namespace tvp::collectives {

/// The layout of a caller's memory: `parts` parts of ranks, one after the other.
struct Parts {
  DeviceMemory memory;
  std::uint32_t parts = 1;
  std::uint64_t part_bytes = 0;

  std::uint64_t bytes() const { return parts * part_bytes; }
};

/// The machine under a Communicator.
class DeviceSide {
 public:
  virtual ~DeviceSide() = default;
  virtual CollectiveExecutor& executor() = 0;
  virtual std::string system_key() const = 0;
  virtual std::string system_name() const = 0;
  /// Throws Fault(kDescription) that names `what` if it is no memory of this machine.
  virtual std::uint64_t size_of(const std::string& what, const DeviceMemory& memory) const = 0;
  /// Runs a function after all earlier work has ended; restores the caller's memories.
  virtual void quietly(const std::function<void()>& run) = 0;
  /// Starts the task, or puts it into a queue; `record` is complete after its end.
  virtual std::function<void()> submit(std::shared_ptr<CollectiveExecutor::Task> task,
                                       const Parts& input, const Parts& output,
                                       const CallOptions& options,
                                       std::shared_ptr<CallRecord> record) = 0;
  /// Stops everything that the side runs on the devices.
  virtual void close() = 0;
  /// Returns a side for each group of ranks. Calls of different groups run at the same time. This
  /// side must not be used until resume(). Throws Fault(kDescription) for a group that the machine
  /// cannot have.
  virtual std::vector<std::unique_ptr<DeviceSide>> split(
      const std::vector<std::vector<std::uint32_t>>& groups) = 0;
  virtual void resume() = 0;
  /// The mesh of chips that has the memories; null for PIM systems.
  virtual std::shared_ptr<runtime::MeshDevice> mesh() const { return nullptr; }

 protected:
  /// Copies a task's outcome into its record.
  static void complete(CallRecord& record, const CollectiveExecutor::Outcome& outcome);
};

inline void DeviceSide::complete(CallRecord& record, const CollectiveExecutor::Outcome& outcome) {
  record.time_ns = outcome.time_ns();
  record.begin_ns = outcome.begin_ns;
  record.end_ns = outcome.end_ns;
  for (const CollectiveExecutor::Traffic& each : outcome.traffic) {
    record.messages += each.messages;
    record.bytes += each.bytes;
  }
  record.over = true;
}

/// spread() copies parts that follow each other in the caller's memory to the library's, where each
/// is padded to `stride`; gathered() does the reverse.
std::vector<std::uint8_t> spread(const std::vector<std::uint8_t>& bytes, const Parts& parts,
                                 std::uint64_t stride, std::uint64_t size);
std::vector<std::uint8_t> gathered(const std::vector<std::uint8_t>& bytes, const Parts& parts,
                                   std::uint64_t stride);

}  // namespace tvp::collectives
