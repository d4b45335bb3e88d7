#pragma once

#include <memory>

#include "sw/runtime/host_api.h"
#include "sw/workloads/prefetcher/hops.h"
#include "sw/workloads/prefetcher/placement.h"
#include "sw/workloads/prefetcher/prefetch_plan.h"
#include "sw/workloads/prefetcher/tensors.h"

namespace tvp::workloads::prefetcher {

/// Address in each bank or core.
inline std::uint32_t address_of(const std::shared_ptr<runtime::MeshBuffer>& buffer) {
  return static_cast<std::uint32_t>(buffer->address());
}

/// Options of the path of the weights to the cores.
struct Options {
  std::uint32_t layers = 2;
  std::uint32_t places = 3;  ///< blocks of a sender, in flight or with the writer
  std::uint32_t depth = 2;   ///< largest parts that the global circular buffer holds
  bool direct = false;       ///< no prefetcher: each core reads DRAM itself
  bool performance_mode = true;
  bool write_ids = false;
  bool stream_credits = false;
  bool compact = false;
  bool pausable = false;  ///< other operations may pause senders
  bool rival_pauses = false;
  bool consumer_pauses = false;  ///< receivers pause their sender while they write results
  std::uint32_t consumer = 0;    ///< consumer of firmware/kernels/prefetcher/arguments.h
  bool local_pops = false;       ///< pops of a local circular buffer skip blocks
  std::uint32_t hop_cores = 0;   ///< cores that forward shards of the activation
  std::uint32_t rows = 32;       ///< rows of the activation
  bool bias = false;
  std::uint32_t function = 0;         ///< function of firmware/kernels/prefetcher/arguments.h
  std::uint32_t rival_packets = 0;    ///< packets of 8 KiB that another operation moves along a row
  std::uint32_t rival_reads = 0;      ///< such packets that it reads from each bank
  std::uint32_t gathered_shards = 4;  ///< places for arriving shards of the activation
  runtime::NOC write_noc = runtime::NOC::NOC_0;
  runtime::MathFidelity fidelity = runtime::MathFidelity::HiFi2;
};

/// Memory that both sides use, and the programs of both. Senders and receivers are disjoint, and
/// their programs run in parallel.
class RingPrograms {
 public:
  RingPrograms(runtime::MeshDevice& mesh, const PrefetchPlan& plan,
               const std::vector<Sender>& senders, const Tensors& tensors, const Options& options);

  /// Runs before the weights of all layers are created.
  static void check_results_fit(runtime::MeshDevice& mesh, const PrefetchPlan& plan,
                                const std::vector<Sender>& senders, const Options& options);

  /// Empty with Options::direct.
  runtime::Program sender_program() const;
  runtime::Program receiver_program() const;

  const std::vector<RingCore>& ring() const { return ring_; }
  const runtime::CoreRangeSet& sender_cores() const { return sender_cores_; }
  const runtime::CoreRangeSet& receiver_cores() const { return receiver_cores_; }
  /// Receivers and hop cores, which get shards of the activation.
  const runtime::CoreRangeSet& activation_cores() const { return activation_cores_; }
  /// Words of firmware/kernels/prefetcher/arguments.h that a core has written.
  std::vector<std::uint32_t> stats(runtime::CoreCoord core) const;
  /// Outputs of a core for a layer and part.
  std::vector<std::uint8_t> output(runtime::CoreCoord core, std::uint32_t layer,
                                   std::uint32_t part) const;
  /// Names the writer of their first tile (MeshBuffer::origin).
  std::string origin(runtime::CoreCoord core, std::uint32_t layer, std::uint32_t part) const;
  std::uint32_t buffer_bytes() const { return buffer_ ? buffer_->size() : 0; }
  /// Address of each sender's contract::PrefetcherControl. Receivers have 16 free bytes there.
  std::uint32_t control() const;

 protected:
  std::vector<std::uint32_t> switches() const;
  std::uint32_t first_tile(std::uint32_t layer, std::uint32_t part) const;
  std::vector<std::uint32_t> common_args() const;
  void make_buffers(const Tensors& tensors);
  void make_ring_buffers(const Tensors& tensors);
  void make_stats(std::uint32_t tensor_words);
  std::uint32_t stats_address() const;
  void check_room_for_shards() const;
  void add_weights_views(runtime::Program& program) const;
  std::vector<std::uint32_t> receiver_args(std::uint32_t place) const;
  std::vector<std::uint32_t> hop_args(std::uint32_t place, std::uint32_t hop) const;
  /// The stop to which hop number `hop` behind a core of the ring sends. Hop 0 is that core.
  runtime::CoreCoord stop_behind(std::uint32_t place, std::uint32_t hop) const;

  runtime::MeshDevice& mesh_;
  const PrefetchPlan& plan_;
  const std::vector<Sender>& senders_;
  Options options_;
  std::vector<RingCore> ring_;
  Hops hops_;
  runtime::CoreRangeSet sender_cores_, receiver_cores_, activation_cores_;
  std::unique_ptr<runtime::GlobalCircularBuffer> buffer_;
  std::shared_ptr<runtime::MeshBuffer> addresses_, activation_, outputs_, stats_, direct_memory_,
      bias_;
};

}  // namespace tvp::workloads::prefetcher
