#pragma once

#include <optional>

#include "sw/collectives/execution/chip_executor.h"
#include "sw/collectives/library/device_side.h"
#include "sw/runtime/mesh/mesh_event.h"

namespace tvp::collectives {

/// The side of a mesh of chips. Buffers in DRAM whose pages are a power of two are used in place.
/// The host copies other buffers, and vectors that are not whole chunks.
class ChipSide : public DeviceSide {
 public:
  ChipSide(runtime::MeshDevice& mesh, unsigned workers, std::uint32_t l1_bytes);
  ~ChipSide() override;

  CollectiveExecutor& executor() override { return executor_; }
  std::string system_key() const override;
  std::string system_name() const override { return executor_.topology(); }
  std::uint64_t size_of(const std::string& what, const DeviceMemory& memory) const override;
  void quietly(const std::function<void()>& run) override;
  std::function<void()> submit(std::shared_ptr<CollectiveExecutor::Task> task, const Parts& input,
                               const Parts& output, const CallOptions& options,
                               std::shared_ptr<CallRecord> record) override;
  void close() override;
  /// Each group is a rectangle of the mesh. Calls of groups that do not block start together, with
  /// the first that is waited for.
  std::vector<std::unique_ptr<DeviceSide>> split(
      const std::vector<std::vector<std::uint32_t>>& groups) override;
  void resume() override { executor_.reserve(l1_bytes_); }
  std::shared_ptr<runtime::MeshDevice> mesh() const override { return part_; }

 private:
  using Buffer = std::shared_ptr<runtime::MeshBuffer>;
  /// A memory of a task: the caller's own, or a copy.
  struct Lent {
    Parts parts;
    Buffer buffer;
    bool staged = false;
    std::uint64_t stride = 0;
  };
  struct Job;
  /// Jobs of groups that have not started, at most one of each.
  struct Pending {
    std::vector<std::shared_ptr<Job>> jobs;
  };
  /// The side of a group.
  ChipSide(std::shared_ptr<runtime::MeshDevice> part, std::shared_ptr<Pending> pending,
           unsigned workers, std::uint32_t l1_bytes);
  void start_pending();
  std::function<void()> submit_to_group(std::shared_ptr<Job> job, const CallOptions& options,
                                        std::vector<runtime::Program> programs);
  Lent lend(const Parts& parts, std::uint64_t chunk_bytes, std::uint32_t chunks, bool copy);
  Buffer make(std::uint64_t bytes);
  void load(const Job& job);
  void finish(Job& job);
  void finish_queues();
  void order(runtime::MeshCommandQueue& queue);
  std::shared_ptr<runtime::MeshDevice> rectangle_of(const std::vector<std::uint32_t>& group);

  // Null unless the side is that of a group.
  std::shared_ptr<runtime::MeshDevice> part_;
  std::shared_ptr<Pending> pending_;
  runtime::MeshDevice& mesh_;
  ChipExecutor executor_;
  const unsigned workers_;
  const std::uint32_t l1_bytes_;
  /// The queue of the last call, and the event at the call's end.
  runtime::MeshCommandQueue* last_queue_ = nullptr;
  std::optional<runtime::MeshEvent> last_;
};

}  // namespace tvp::collectives
