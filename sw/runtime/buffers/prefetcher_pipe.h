#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sw/runtime/buffers/mesh_buffer.h"
#include "sw/runtime/programs/program.h"

namespace tvp::runtime::experimental {

/// Memory of pipes before their senders and receivers are known (tt-metal
/// tt-metalium/experimental/prefetcher_pipe.hpp).
struct PrefetcherPipeSpaceConfig {
  CoreRangeSet sender_cores;
  std::uint32_t num_dram_senders = 0;  ///< Wormhole's DRAM tiles have no core: 0
  CoreRangeSet receiver_domain;        ///< cores that may become receivers
  std::uint32_t ring_size = 0;         ///< bytes in each core, a multiple of 16
  std::uint32_t max_receivers_per_pipe = 0;
  BufferType buffer_type = BufferType::L1;
};

class PipeSpaceMemory;

/// One sender and its receivers, each with a ring, over several programs: each continues where the
/// previous one stopped. The pipe keeps the memory of its space and releases its cores when it
/// ends, which must be after the last program that uses it.
class PrefetcherPipe {
 public:
  PrefetcherPipe(std::shared_ptr<PipeSpaceMemory> memory, CoreCoord sender, CoreRangeSet receivers);
  PrefetcherPipe(PrefetcherPipe&&) noexcept = default;
  PrefetcherPipe& operator=(PrefetcherPipe&& other) noexcept;
  PrefetcherPipe(const PrefetcherPipe&) = delete;
  PrefetcherPipe& operator=(const PrefetcherPipe&) = delete;
  ~PrefetcherPipe() { release(); }

  std::uint32_t buffer_address() const;
  std::uint32_t config_address() const;
  std::uint32_t ring_size() const;
  std::uint32_t config_page_size() const;
  /// Offset of the counters in a core's configuration. Zeros there reset the pipe.
  std::uint32_t credit_reset_offset() const;
  std::uint32_t credit_reset_size() const;

  /// Lifetime of the pipe.
  Life::Watch life() const { return life_.watch(); }

  CoreCoord sender_core() const { return sender_; }
  const CoreRangeSet& sender_cores() const { return senders_; }
  const CoreRangeSet& receiver_cores() const { return receivers_; }
  const CoreRangeSet& all_cores() const { return all_; }

 private:
  void release();
  /// Throws Fault(kDescription) if the pipe was moved from.
  const PipeSpaceMemory& memory() const;

  Life life_;
  std::shared_ptr<PipeSpaceMemory> memory_;
  CoreCoord sender_;
  CoreRangeSet senders_, receivers_, all_;
};

/// Creates pipes from its cores. All have their rings at one address, so that one number of a
/// program may represent several of them.
class PrefetcherPipeSpace {
 public:
  /// Throws Fault(kDescription) without memory or cores.
  PrefetcherPipeSpace(MeshDevice& mesh, const PrefetcherPipeSpaceConfig& config);

  std::uint32_t buffer_address() const;
  std::uint32_t config_address() const;
  std::uint32_t ring_size() const { return config_.ring_size; }
  std::uint32_t config_page_size() const;
  std::uint32_t max_receivers_per_pipe() const { return config_.max_receivers_per_pipe; }
  const CoreRangeSet& sender_cores() const { return config_.sender_cores; }
  const CoreRangeSet& receiver_domain() const { return config_.receiver_domain; }
  const CoreRangeSet& reservation_cores() const;
  /// Cores that belong to no pipe.
  CoreRangeSet unclaimed_cores() const;

  /// Throws Fault(kDescription) for cores outside of the space or of another pipe.
  PrefetcherPipe create_pipe(CoreCoord sender, const CoreRangeSet& receivers);
  /// Creates all of them, or none.
  std::vector<PrefetcherPipe> create_pipes(
      std::span<const std::pair<CoreCoord, CoreRangeSet>> pipes);

 private:
  PrefetcherPipeSpaceConfig config_;
  std::shared_ptr<PipeSpaceMemory> memory_;
};

PrefetcherPipeSpace CreatePrefetcherPipeSpace(MeshDevice& mesh,
                                              const PrefetcherPipeSpaceConfig& config);
/// Creates a pipe with its own space.
PrefetcherPipe CreatePrefetcherPipe(MeshDevice& mesh, CoreCoord sender,
                                    const CoreRangeSet& receivers, std::uint32_t ring_size,
                                    BufferType buffer_type = BufferType::L1);

/// Gives kernels of `program` on `cores`, the sender or all receivers or both, the pipe with
/// entries of `entry_size` bytes. Returns its number, the lowest that is free on these cores. Pipes
/// on other cores may have the same number, and one kernel serves them all. KernelNames::pipes
/// gives it a name.
std::uint8_t AttachPrefetcherPipe(Program& program, const PrefetcherPipe& pipe,
                                  const CoreRangeSet& cores, std::uint32_t entry_size);

/// Creates a circular buffer over the rings of pipe `number` on `cores`, for compute kernels. Its
/// pages divide entries. The receiver's kernel opens it (bind_relay). tt-metal's function of that
/// name also takes the memory from the pipe.
CBHandle CreateCircularBuffer(Program& program, const CoreRangeSet& cores,
                              const CircularBufferConfig& config, const PrefetcherPipe& pipe,
                              std::uint8_t number);
CBHandle CreatePrefetcherPipeRelayDataflowBuffer(Program& program, const CoreRangeSet& cores,
                                                 const CircularBufferConfig& config,
                                                 std::uint8_t number);

}  // namespace tvp::runtime::experimental
