#pragma once

#include <functional>
#include <memory>
#include <string>

#include "foundation/contract/collectives/chip.h"
#include "foundation/contract/fabric/mux.h"
#include "sw/collectives/execution/collective_executor.h"
#include "sw/collectives/execution/neighbor_fabric.h"
#include "sw/runtime/fabric/fabric_mesh.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::collectives {

/// Rank r is device r of a mesh of chips. Its memories are interleaved over DRAM. Each link of an
/// edge has a stripe of every chunk and a worker core. The worker runs the interpreter
/// (firmware/collectives/chip_scheduled.cpp) and sends over that link of each edge only.
///
/// If the lanes of a schedule are in several sets, each set has a worker core of its own for each
/// stripe. These workers share the router of a link through a mux, as several workers of a
/// direction do in tt-metal's collectives.
class ChipExecutor : public CollectiveExecutor {
 public:
  struct Options {
    unsigned workers = 0;  ///< links of an edge that are used; 0: all of them
  };
  /// Throws Fault(kDescription) if the devices form no line, ring or mesh.
  ChipExecutor(runtime::MeshDevice& mesh, Options options);
  /// Ends running routers. No run may have failed before.
  void finish();

  std::uint32_t ranks() const override { return mesh_.num_devices(); }
  std::vector<std::uint32_t> ring(std::uint32_t ranks) const override;
  std::string topology() const override;
  std::string links_like() const override;
  LinkLoads link_loads(const Outcome& outcome) const override;
  bool one_hop(const Schedule& schedule) const override {
    return routers_for(schedule) == Routers::kNeighbors;
  }
  bool splits_lanes(const Schedule& schedule) const override {
    return workers_for(schedule).lane_sets > 1;
  }
  std::uint32_t workers() const { return workers_; }
  /// The number of a rank's device in the whole system, which buffers take.
  unsigned number_of(std::uint32_t rank) const { return mesh_.device(rank).index(); }

  /// Adds kernels to the program of each device. They run beside those of the executor, on other
  /// cores, and their circular buffers have 16 KiB. The executor then has one core for each link of
  /// an edge, in the first row. Null for none.
  using Beside = std::function<void(std::uint32_t device, runtime::Program& program)>;
  void set_beside(Beside beside) { beside_ = std::move(beside); }

  using Buffer = std::shared_ptr<runtime::MeshBuffer>;
  /// Allocates this much L1 of each worker until the end. Without it, each run allocates what it
  /// needs.
  void reserve(std::uint32_t bytes);
  /// Frees that memory.
  void free_reserved() { memory_.reset(); }
  /// Addresses are those of interleaved buffers in DRAM.
  void place(Task& task, const Memories& memories) override;
  void write(const Task& task) override;
  /// Returns a program for each device; empty for devices that take no part.
  std::vector<runtime::Program> programs(const Task& task, const Memories& memories);
  /// True if the task needs other routers than the running ones. Changing them requires that no
  /// packet is in flight.
  bool changes_routers(const Task& task) const { return routers_for(task.schedule) != routers_; }
  void use_routers_for(const Task& task) { use(routers_for(task.schedule)); }

 private:
  Machine machine(const Schedule& schedule, const Demand& demand) override;
  void load(Task& task, const Operands& operands) override;
  void execute(const Task& task) override;
  Left left(const Task& task, std::uint32_t rank, std::uint32_t worker) override;
  std::string link(std::uint32_t from, std::uint32_t to, std::uint32_t stripe) const override;
  /// The time since when the link is broken, for reports. Empty if the link works, or if the
  /// library does not know.
  std::string broken_since(unsigned chip, unsigned channel) const;
  std::vector<std::uint8_t> output(std::uint32_t rank) override;
  std::string origin(std::uint32_t rank, std::uint64_t byte) override;
  double ns(std::uint64_t cycles) const override { return static_cast<double>(cycles); }

  /// Workers come first, then muxes, row by row.
  runtime::CoreCoord core(unsigned number) const;
  /// Ports of the device with the most.
  unsigned ports() const;
  RankWorkers workers_for(const Schedule& schedule) const;
  /// Cores of workers and muxes on each device.
  unsigned cores_of(const RankWorkers& workers) const;
  /// Bytes of a core's L1 for a program, with what it leaves to others if nothing is reserved.
  std::uint32_t room() const;
  /// Slots of a channel of a mux; 0 if a mux for so many clients does not fit.
  std::uint32_t mux_slots(std::uint32_t clients, std::uint32_t payload) const;
  contract::fabric::MuxLayout mux_layout(const Task& task) const;
  /// Bytes from the begin of a mux's memory to its end.
  std::uint32_t mux_bytes(const Task& task) const;
  void add_muxes(runtime::Program& program, const Task& task, std::uint32_t rank);
  contract::collectives::ChipLayout layout(const RankPrograms::Program& program) const;
  void make_buffers(const Task& task, const Operands& operands);
  Buffer worker_memory(std::uint32_t bytes, unsigned cores);
  void connect(RankPrograms& programs, std::uint32_t rank, unsigned worker) const;
  runtime::Program program(const Task& task, const Memories& memories, std::uint32_t rank);
  std::vector<std::uint32_t> arguments(const Task& task, std::uint32_t rank, unsigned worker) const;

  runtime::MeshDevice& mesh_;
  runtime::FabricWraps wraps_;
  runtime::MeshShape shape_;
  unsigned workers_ = 1;
  /// The running routers: those of the whole mesh, or those to the next chips, for schedules whose
  /// messages all end there.
  enum class Routers : std::uint8_t { kNone, kMesh, kNeighbors };
  void use(Routers routers);
  Routers routers_for(const Schedule& schedule) const;
  static std::uint32_t packet_bytes(Routers routers);
  const contract::fabric::RouterLayout& router_layout() const;

  std::unique_ptr<runtime::FabricMesh> fabric_;
  std::unique_ptr<NeighborFabric> neighbors_;
  Routers routers_ = Routers::kNone;
  Buffer input_;
  Buffer output_;
  Buffer scratch_;
  Buffer memory_;               ///< memory of the workers
  std::uint32_t reserved_ = 0;  ///< bytes of `memory_`; 0: allocated for each run
  std::vector<runtime::Program> programs_;
  Beside beside_;
};

}  // namespace tvp::collectives
