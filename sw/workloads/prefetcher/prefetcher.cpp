#include "sw/workloads/prefetcher/prefetcher.h"

#include <algorithm>

#include "firmware/kernels/prefetcher/arguments.h"
#include "sw/runtime/errors.h"
#include "sw/workloads/prefetcher/elementwise_golden.h"
#include "sw/workloads/prefetcher/prefetch_measurement.h"

namespace tvp::workloads::prefetcher {

using namespace tvp::runtime;
namespace kernel = kernels::prefetcher;

namespace {

constexpr std::uint32_t kDstTiles = 4;  ///< tiles of 32-bit datums in half of Dst

unsigned phases_of(const foundation::Choice& fidelity) {
  return fidelity == "lofi" ? 1 : fidelity == "hifi2" ? 2 : fidelity == "hifi3" ? 3 : 4;
}

kernel::Consumer consumer_of(const foundation::Choice& consumer) {
  return consumer == "matmul"       ? kernel::kMatmul
         : consumer == "activation" ? kernel::kActivationFunction
                                    : kernel::kElementwiseChain;
}

}  // namespace

Epilogue Prefetcher::epilogue() const { return {config_.bias, config_.function.value()}; }

Options Prefetcher::options() const {
  Options o;
  o.layers = config_.layers;
  o.depth = config_.depth;
  o.places = config_.places;
  o.direct = config_.feed == "direct";
  o.performance_mode = config_.performance_mode;
  o.write_ids = config_.write_ids;
  o.stream_credits = config_.stream_credits;
  o.compact = config_.compact;
  o.consumer = consumer_of(config_.consumer);
  o.consumer_pauses = config_.consumer_pauses;
  o.pausable = config_.pause || config_.consumer_pauses;
  o.local_pops = config_.pointers == "local_pops";
  o.hop_cores = config_.hop_cores;
  o.rows = config_.rows;
  o.bias = epilogue().bias();
  o.function = epilogue().number();
  o.rival_packets = config_.rival_kib / 8;
  o.rival_reads = config_.rival_reads_kib / 8;
  o.rival_pauses = config_.pause;
  o.write_noc = static_cast<NOC>(config_.write_noc.value());
  const unsigned phases = phases_of(config_.fidelity);
  o.fidelity = phases == 1 ? MathFidelity::LoFi : static_cast<MathFidelity>(phases);
  return o;
}

void Prefetcher::check() const {
  layer_of(config_.model.value());
  const Options o = options();
  if (o.write_ids && !o.performance_mode)
    bad_use("prefetcher.write_ids", "true with performance_mode=false; expected posted writes");
  if (config_.kernels == "published") PublishedPrograms::check(o);
  if (o.local_pops && (o.direct || o.compact))
    bad_use("prefetcher.pointers",
            "local_pops with a direct feed or compact tensors; expected tensors that begin at a "
            "multiple of their blocks");
  if (o.consumer == kernel::kActivationFunction && o.function == kernel::kIdentity)
    bad_use("prefetcher.function", "none with consumer=activation; expected relu, silu or gelu");
  if (config_.rival_kib % 8 != 0)
    bad_use("prefetcher.rival_kib", config_.rival_kib.text() + "; expected packets of 8 KiB");
  if (config_.rival_reads_kib % 8 != 0)
    bad_use("prefetcher.rival_reads_kib",
            config_.rival_reads_kib.text() + "; expected packets of 8 KiB");
  if (config_.pause && (o.direct || (o.rival_packets == 0 && o.rival_reads == 0)))
    bad_use("prefetcher.pause",
            "true without a rival that senders pause for; expected rival_kib or rival_reads_kib");
  if (o.direct && (o.write_ids || o.stream_credits || o.compact))
    bad_use("prefetcher.feed",
            "direct has no senders: expected no write_ids, stream_credits or compact");
}

namespace {

/// Splits senders and receivers into two sub-devices, so that the programs of each side start and
/// end independently.
class Split {
 public:
  Split(MeshDevice& mesh, const RingPrograms& programs, const std::vector<CoreCoord>& rivals)
      : mesh_(mesh) {
    std::vector<SubDevice> sides{SubDevice({programs.sender_cores()}),
                                 SubDevice({programs.activation_cores()})};
    if (!rivals.empty()) sides.push_back(SubDevice({CoreRangeSet(rivals)}));
    mesh.load_sub_device_manager(mesh.create_sub_device_manager(sides, 0));
    receivers_ = mesh.get_sub_device_ids()[1];
  }
  /// Waits only for the receivers. The senders continue.
  void finish_receivers() { mesh_.finish(std::span(&receivers_, 1)); }

 private:
  MeshDevice& mesh_;
  SubDeviceId receivers_{};
};

}  // namespace

void Prefetcher::run_own(MeshDevice& mesh, const RingPrograms& programs, const Program& receivers,
                         Rivals& rivals) const {
  rivals.measure_alone();
  const Split split(mesh, programs, rivals.cores());
  if (config_.feed != "direct") mesh.enqueue(0, programs.sender_program());
  mesh.enqueue(0, receivers);
  if (!rivals.empty()) mesh.enqueue(0, rivals.program());
  mesh.finish();
}

void Prefetcher::run_published(MeshDevice& mesh, const PublishedPrograms& programs,
                               const PrefetchPlan& plan, Result& result) const {
  Split split(mesh, programs, {});
  mesh.enqueue(0, programs.sender_program());
  const CoreId first = mesh.device(0).worker(programs.ring()[0].core);
  double cycles = 0;
  for (std::uint32_t layer = 0; layer < config_.layers; ++layer) {
    for (std::uint32_t part = 0; part < plan.parts().size(); ++part) {
      mesh.enqueue(0, programs.multiplication(layer, part));
      split.finish_receivers();
      const contract::RunTimes times = mesh.run_times(0, first);
      cycles += static_cast<double>(times.done - times.go);
      result.phases.push_back({plan.parts()[part].name + " " + std::to_string(layer),
                               static_cast<double>(times.go), static_cast<double>(times.done)});
    }
  }
  mesh.finish();
  result.metrics.push_back({"kernel_cycles", cycles, "cycles"});
}

void Prefetcher::run_ring(MeshDevice& mesh, const PrefetchPlan& plan,
                          const std::vector<Sender>& senders, Tensors& tensors, const Options& o,
                          std::uint64_t seed, Result& result) const {
  const PublishedPrograms programs(mesh, plan, senders, tensors, o);
  Rivals rivals(mesh, senders, programs, o, seed);
  const bool published = config_.kernels == "published";
  if (published) {
    run_published(mesh, programs, plan, result);
  } else {
    run_own(mesh, programs, programs.receiver_program(), rivals);
  }

  matmul::Arithmetic arithmetic;
  arithmetic.fidelity_phases = phases_of(config_.fidelity);
  arithmetic.fp32_dst = true;
  for (std::uint32_t layer = 0; layer < o.layers; ++layer)
    for (std::uint32_t part = 0; part < plan.parts().size(); ++part)
      for (std::uint32_t at = 0; at < programs.ring().size(); ++at) {
        const RingCore& core = programs.ring()[at];
        const bool passed = result.passed;
        tensors.compare(layer, part, at, tensors.slice_of(core),
                        programs.output(core.core, layer, part), arithmetic, epilogue(), result);
        if (passed && !result.passed) result.reason += programs.origin(core.core, layer, part);
      }
  tensors.conclude(result);
  if (!published)
    PrefetchMeasurement(plan, senders, programs, o).report(config_.channel_peak, result);
  rivals.report(result);
  result.metrics.push_back(
      {"global_buffer", static_cast<double>(programs.buffer_bytes()) / 1024, "KiB"});
}

void Prefetcher::run_elementwise(MeshDevice& mesh, const PrefetchPlan& plan,
                                 const std::vector<Sender>& senders, Tensors& tensors,
                                 const Options& o, std::uint64_t seed, Result& result) const {
  ElementwisePrograms programs(mesh, plan, senders, tensors, o);
  Rivals rivals(mesh, senders, programs, o, seed);
  run_own(mesh, programs, programs.receiver_program(), rivals);

  const ElementwiseGolden golden(plan);
  for (const RingCore& core : programs.ring()) {
    const std::uint32_t slice = tensors.slice_of(core);
    const matmul::Matrix resident = tensors.resident(slice);
    for (std::uint32_t layer = 0; layer < o.layers; ++layer)
      for (std::uint32_t part = 0; part < plan.parts().size(); ++part) {
        const matmul::Matrix weights = tensors.weights(layer, part, slice);
        const ElementwiseGolden::Values values =
            o.consumer == kernel::kActivationFunction
                ? golden.function(weights, epilogue())
                : golden.chain(weights, resident, part, phases_of(config_.fidelity));
        const bool passed = result.passed;
        tensors.judge(layer, part, "receiver " + core.core.str(),
                      programs.results(core, layer, part), values.expected, values.bound, result);
        if (passed && !result.passed) result.reason += programs.results_origin(core, layer, part);
      }
  }
  tensors.conclude(result);
  PrefetchMeasurement(plan, senders, programs, o)
      .report_elementwise(config_.channel_peak, static_cast<double>(programs.result_bytes()),
                          result);
  rivals.report(result);
  result.metrics.push_back(
      {"global_buffer", static_cast<double>(programs.buffer_bytes()) / 1024, "KiB"});
}

void Prefetcher::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  Options o = options();
  const runtime::ChipLayout& layout = mesh.device(0).layout();
  const std::uint32_t banks = config_.banks == 0 ? layout.dram_banks() : config_.banks;
  const std::vector<Sender> senders =
      place("prefetcher", layout, banks, config_.receivers, config_.rows_off);
  const PrefetchPlan plan(layer_of(config_.model.value()),
                          {banks, config_.receivers, (config_.rows + 31) / 32},
                          config_.tensor_kib * 1024, kDstTiles, config_.packet_bytes);
  constexpr std::uint32_t kLeastShards = 3;
  const std::uint32_t shard_bytes = plan.shard_tiles() * matmul::tile_bytes(DataFormat::Float16_b);
  o.gathered_shards = std::max(kLeastShards, std::min(config_.gather_kib * 1024 / shard_bytes,
                                                      std::max(1U, plan.ring().cores()) - 1));
  const bool is_ring = o.consumer == kernel::kMatmul;
  if (is_ring) RingPrograms::check_results_fit(mesh, plan, senders, o);
  Tensors tensors(mesh, plan, senders, o.layers, o.rows, seed);
  if (is_ring) {
    run_ring(mesh, plan, senders, tensors, o, seed, result);
  } else {
    run_elementwise(mesh, plan, senders, tensors, o, seed, result);
  }
}

}  // namespace tvp::workloads::prefetcher
