#pragma once

#include "sw/collectives/execution/pim_executor.h"
#include "sw/collectives/library/device_side.h"

namespace tvp::runtime {
class DeviceLibrary;
}

namespace tvp::collectives {

/// The side of a PIM system's units. Parts of banks are used in place; the library's own memory is
/// at the end of the banks.
class PimSide : public DeviceSide {
 public:
  explicit PimSide(runtime::PimSystem& system, runtime::DeviceLibrary& library)
      : system_(system), library_(library), executor_(system) {}

  CollectiveExecutor& executor() override { return executor_; }
  std::string system_key() const override;
  std::string system_name() const override { return executor_.topology(); }
  std::uint64_t size_of(const std::string& what, const DeviceMemory& memory) const override;
  void quietly(const std::function<void()>& run) override;
  std::function<void()> submit(std::shared_ptr<CollectiveExecutor::Task> task, const Parts& input,
                               const Parts& output, const CallOptions& options,
                               std::shared_ptr<CallRecord> record) override;
  void close() override {}

 private:
  struct Lent {
    Parts parts;
    std::uint64_t address = 0;
    bool staged = false;
    std::uint64_t stride = 0;
    std::uint64_t bytes = 0;
  };
  /// `end` is the end of the free part of the banks; lend() lowers it by what it allocates.
  Lent lend(const Parts& parts, std::uint64_t chunk_bytes, std::uint32_t chunks, bool copy,
            std::uint64_t& end) const;

  runtime::PimSystem& system_;
  runtime::DeviceLibrary& library_;
  PimExecutor executor_;
};

}  // namespace tvp::collectives
