#include "sw/workloads/prefetcher/prefetcher.h"

#include <algorithm>

#include "sw/runtime/errors.h"
#include "sw/workloads/prefetcher/measurement.h"

namespace tvp::workloads::prefetcher {

using namespace tvp::runtime;

namespace {

constexpr std::uint32_t kDstTiles = 4;  ///< of 32 bits a datum, half of Dst

unsigned phases_of(const foundation::Choice& fidelity) {
  return fidelity == "lofi" ? 1 : fidelity == "hifi2" ? 2 : fidelity == "hifi3" ? 3 : 4;
}

}  // namespace

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
  if (o.direct && (o.write_ids || o.stream_credits || o.compact))
    bad_use("prefetcher.feed",
            "direct has no senders: expected no write_ids, stream_credits or compact");
}

void Prefetcher::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  Options o = options();
  const std::vector<Sender> senders =
      place(mesh.device(0).layout(), config_.banks, config_.receivers, config_.rows_off);
  const Plan plan(layer_of(config_.model.value()), {config_.banks, config_.receivers},
                  config_.tensor_kib * 1024, kDstTiles, config_.packet_bytes);
  constexpr std::uint32_t kLeastShards = 3;
  const std::uint32_t shard_bytes = plan.shard_tiles() * matmul::tile_bytes(DataFormat::Float16_b);
  o.gathered_shards = std::max(kLeastShards, std::min(config_.gather_kib * 1024 / shard_bytes,
                                                      std::max(1U, plan.ring().cores()) - 1));
  Tensors tensors(mesh, plan, senders, o.layers, seed);
  const RingPrograms programs(mesh, plan, senders, tensors, o);

  if (!o.direct) mesh.enqueue(0, programs.sender_program());
  mesh.enqueue(0, programs.receiver_program());
  mesh.finish(0);

  matmul::Arithmetic arithmetic;
  arithmetic.fidelity_phases = phases_of(config_.fidelity);
  arithmetic.fp32_dst = true;
  for (std::uint32_t layer = 0; layer < o.layers; ++layer)
    for (std::uint32_t part = 0; part < plan.parts().size(); ++part)
      for (std::uint32_t at = 0; at < programs.ring().size(); ++at) {
        const RingCore& core = programs.ring()[at];
        tensors.compare(layer, part, at, tensors.slice_of(core),
                        programs.output(core.core, layer, part), arithmetic, result);
      }
  tensors.conclude(result);
  Measurement(plan, senders, programs, o).report(config_.channel_peak, result);
  result.metrics.push_back(
      {"global_buffer", static_cast<double>(programs.buffer_bytes()) / 1024, "KiB"});
}

}  // namespace tvp::workloads::prefetcher
