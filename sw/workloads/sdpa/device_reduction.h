#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "firmware/kernels/sdpa/arguments.h"
#include "firmware/kernels/sdpa/buffers.h"
#include "foundation/contract/fabric/mux.h"
#include "sw/runtime/buffers/mesh_buffer.h"
#include "sw/runtime/mesh/mesh_device.h"
#include "sw/runtime/programs/program.h"
#include "sw/workloads/sdpa/problem.h"
#include "sw/workloads/sdpa/ring_fabric.h"
#include "sw/workloads/sdpa/timeline.h"

namespace tvp::workloads::sdpa {

/// The reduction on the devices: its buffers, and one program for each device. Shard cores are in
/// the first rows of workers, as many as necessary, and muxes in the next row, one for each link
/// and direction.
class DeviceReduction {
 public:
  static constexpr unsigned kWorkers = 8;
  static constexpr unsigned kWorkersPerLink = 4;
  static constexpr unsigned kLinks = kWorkers / kWorkersPerLink;  ///< between two neighbors
  static constexpr unsigned kMuxSlots = contract::fabric::kMuxSlots;

  /// The devices of the mesh are in the order of the ring. Throws Fault(kDescription) for another
  /// number of devices than 2, 4, 8, 16 or 32.
  DeviceReduction(runtime::MeshDevice& mesh, Shape shape);

  void load(const Partials& partials);
  /// The input of the reduction, where devices leave partial results that they compute.
  const std::shared_ptr<runtime::MeshBuffer>& input() const { return input_; }
  /// The shard cores by worker.
  std::vector<runtime::CoreCoord> cores() const;
  /// Clears what an earlier run has left.
  void clear();
  /// Starts routers, muxes and shard cores, and waits until all of them have ended.
  void run();
  /// [worker][row][head_dim] of one device.
  std::vector<float> output(unsigned device);
  /// Names the writer of device 0's result (MeshBuffer::origin).
  std::string origin(std::size_t row, std::size_t column);
  /// Likewise of a byte of output_bytes().
  std::string origin_of_byte(unsigned device, std::uint64_t byte);
  /// Bytes of one device's result as it lies in L1.
  std::vector<std::uint8_t> output_bytes(unsigned device);
  Timeline timeline();

 private:
  using Buffer = std::shared_ptr<runtime::MeshBuffer>;
  /// Muxes of a device: those of round 1, and those of its other direction.
  enum Direction : unsigned { kForward, kBackward };
  /// First circular buffers of a device's own operand in a round and of its partner's.
  struct Operands {
    unsigned local, neighbor;
  };
  Operands operands(unsigned device, unsigned round) const;
  /// A partial result in the shards of a buffer.
  struct Place {
    Buffer buffer;
    std::size_t offset;
    std::uint32_t address() const { return buffer->address() + static_cast<std::uint32_t>(offset); }
  };
  /// The device's operand in a round, and the place that its partner writes.
  Place local(unsigned device, unsigned round) const;
  Place neighbor(unsigned device, unsigned round) const;
  Place later_operand(unsigned round, bool first) const;

  unsigned devices() const { return static_cast<unsigned>(shape_.devices); }
  unsigned rounds() const { return static_cast<unsigned>(shape_.rounds()); }
  unsigned directions() const { return rounds() > 1 ? 2 : 1; }
  unsigned links() const { return static_cast<unsigned>(shape_.workers) / kWorkersPerLink; }
  runtime::CoreCoord shard_core(unsigned worker) const {
    return {worker % columns_, worker / columns_};
  }
  runtime::CoreCoord mux_core(unsigned direction, unsigned link) const {
    const unsigned shard_rows = shard_core(static_cast<unsigned>(shape_.workers) - 1).y + 1;
    const unsigned mux = direction * links() + link;
    return {mux % columns_, shard_rows + mux / columns_};
  }
  runtime::CoreRangeSet shard_cores() const;
  runtime::CoreRangeSet mux_cores() const;
  Buffer sharded(const runtime::CoreRangeSet& cores, std::size_t bytes);

  runtime::Program program(unsigned device);
  void add_circular_buffers(runtime::Program& program, unsigned device) const;
  void add_later_buffers(runtime::Program& program, unsigned device) const;
  void add_partial(runtime::Program& program, unsigned first, const Buffer& buffer) const;
  void add_buffer(runtime::Program& program, unsigned id, runtime::DataFormat format,
                  std::size_t tiles, const Buffer& buffer, std::size_t offset) const;
  void add_muxes(runtime::Program& program, unsigned device);
  void add_shard_kernels(runtime::Program& program, unsigned device);
  std::vector<std::uint32_t> reader_args(unsigned device) const;
  std::vector<std::uint32_t> writer_args(unsigned device, unsigned worker);
  void add_mux_args(std::vector<std::uint32_t>& args, unsigned first, unsigned device,
                    Direction direction, unsigned worker);
  void add_packet_args(std::vector<std::uint32_t>& args, unsigned first, unsigned device,
                       unsigned worker, unsigned round) const;

  runtime::MeshDevice& mesh_;
  unsigned columns_;  ///< columns of workers on all devices
  Shape shape_;
  RingFabric fabric_;
  contract::fabric::MuxLayout mux_;
  Buffer input_, round1_, round2_, result1_, result2_, factors_, output_, stamps_, mux_memory_;
  Buffer later_first_, later_second_;      ///< operands of rounds from the third on
  std::vector<std::uint32_t> semaphores_;  ///< by round
};

}  // namespace tvp::workloads::sdpa
