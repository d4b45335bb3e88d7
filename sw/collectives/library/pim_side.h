#pragma once

#include <memory>
#include <vector>

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
  ~PimSide() override;

  CollectiveExecutor& executor() override { return executor_; }
  std::string system_key() const override;
  std::string system_name() const override { return executor_.topology(); }
  std::uint64_t size_of(const std::string& what, const DeviceMemory& memory) const override;
  void quietly(const std::function<void()>& run) override;
  std::function<void()> submit(std::shared_ptr<CollectiveExecutor::Task> task, const Parts& input,
                               const Parts& output, const CallOptions& options,
                               std::shared_ptr<CallRecord> record) override;
  void close() override { start_pending(); }
  /// Calls of groups that do not block start together, with the first that is waited for.
  std::vector<std::unique_ptr<DeviceSide>> split(
      const std::vector<std::vector<std::uint32_t>>& groups) override;
  void resume() override {}

 private:
  struct Job;
  /// Jobs of groups that have not started, at most one of each.
  struct Pending {
    std::vector<std::shared_ptr<Job>> jobs;
  };
  PimSide(runtime::PimSystem& system, runtime::DeviceLibrary& library,
          std::shared_ptr<Pending> pending, std::vector<unsigned> units)
      : system_(system),
        library_(library),
        pending_(std::move(pending)),
        group_(units),
        executor_(system, std::move(units)) {}
  void start_pending();
  static void run(std::vector<std::shared_ptr<Job>> jobs);
  void finish(const Job& job);

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
  std::shared_ptr<Pending> pending_;  ///< null unless the side is that of a group
  std::vector<unsigned> group_;       ///< units of the group
  PimExecutor executor_;
};

}  // namespace tvp::collectives
