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
  static constexpr unsigned kDevices = 4;
  static constexpr unsigned kWorkersPerLink = 4;
  static constexpr unsigned kMuxSlots = contract::fabric::kMuxSlots;

  DeviceReduction(runtime::MeshDevice& mesh, Shape shape);

  void load(const Partials& partials);
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
  enum Direction : unsigned { kForward, kBackward };
  /// First circular buffers of a device's own operands and of its neighbors'.
  struct Operands {
    unsigned local1, neighbor1, local2, neighbor2;
  };
  static Operands operands(unsigned device);

  unsigned links() const { return static_cast<unsigned>(shape_.workers) / kWorkersPerLink; }
  runtime::CoreCoord shard_core(unsigned worker) const {
    return {worker % columns_, worker / columns_};
  }
  runtime::CoreCoord mux_core(Direction direction, unsigned link) const {
    const unsigned shard_rows = shard_core(static_cast<unsigned>(shape_.workers) - 1).y + 1;
    const unsigned mux = direction * links() + link;
    return {mux % columns_, shard_rows + mux / columns_};
  }
  runtime::CoreRangeSet shard_cores() const;
  runtime::CoreRangeSet mux_cores() const;
  Buffer sharded(const runtime::CoreRangeSet& cores, std::size_t bytes);

  runtime::Program program(unsigned device);
  void add_circular_buffers(runtime::Program& program, unsigned device) const;
  void add_partial(runtime::Program& program, unsigned first, const Buffer& buffer) const;
  void add_buffer(runtime::Program& program, unsigned id, runtime::DataFormat format,
                  std::size_t tiles, const Buffer& buffer, std::size_t offset) const;
  void add_muxes(runtime::Program& program, unsigned device);
  void add_shard_kernels(runtime::Program& program, unsigned device);
  std::vector<std::uint32_t> writer_args(unsigned device, unsigned worker);
  void add_mux_args(std::vector<std::uint32_t>& args, unsigned first, unsigned device,
                    Direction direction, unsigned worker);
  void add_packet_args(std::vector<std::uint32_t>& args, unsigned first, unsigned neighbor,
                       unsigned worker, const Buffer& from, const Buffer& to,
                       std::uint32_t semaphore);

  runtime::MeshDevice& mesh_;
  unsigned columns_;  ///< columns of workers on all devices
  Shape shape_;
  RingFabric fabric_;
  contract::fabric::MuxLayout mux_;
  Buffer input_, round1_, round2_, result1_, result2_, factors_, output_, stamps_, mux_memory_;
  std::uint32_t round1_semaphore_;
  std::uint32_t round2_semaphore_;
};

}  // namespace tvp::workloads::sdpa
