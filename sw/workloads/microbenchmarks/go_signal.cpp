#include "sw/workloads/microbenchmarks/go_signal.h"

#include <random>

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

namespace {
/// The bytes of tt-metal's profiler and of a tile's launch message.
constexpr std::uint32_t kRecordBytes = 4 * (32 + 5 * 512 + 32);
}  // namespace

FastDispatch::FastDispatch(foundation::SettingGroup& group)
    : Setting(group,
              {"fast_dispatch", "",
               "each measurement begins by a go signal to all tiles around, which wake up and have "
               "nothing to run, as under tt-metal's fast dispatch; else they rest",
               "workload"},
              false) {}

void rest(Program& program, const std::vector<CoreCoord>& tiles, CoreCoord measuring) {
  for (const CoreCoord tile : tiles) {
    if (tile == measuring) continue;
    CreateKernel(program, "firmware/kernels/microbenchmarks/resting_tile.cpp", tile, mover(true));
  }
}

GoSignal::GoSignal(MeshDevice& mesh, Program& program, CoreCoord measuring, CoreCoord far,
                   std::uint32_t rounds, std::uint64_t seed) {
  const CoreRangeSet all{CoreRange({0, 0}, far)};
  const CoreCoord giver = far != measuring ? far : CoreCoord{0, 0};
  const CoreCoord end = far != measuring ? CoreCoord{0, 0} : far;
  const std::uint32_t value = CreateSemaphore(program, all, 0);
  const std::uint32_t signal = CreateSemaphore(program, all, 0);
  const std::uint32_t ready = CreateSemaphore(program, all, 0);
  records_ =
      MeshBuffer::create(mesh, ShardedBufferConfig{.cores = all, .shard_bytes = kRecordBytes});
  for (const CoreCoord core : records_->shard_cores())
    records_->write_shard(0, core, Bytes(kRecordBytes, 0));

  Device& device = mesh.device(0);
  const CoreCoord at = device.worker_core_from_logical_core(giver);
  const CoreCoord to = device.worker_core_from_logical_core(end);
  std::mt19937_64 random(seed);
  for (const CoreCoord core : records_->shard_cores()) {
    if (core == measuring) continue;
    DataMovementConfig config = mover(true);
    config.compile_args = {rounds,
                           signal,
                           ready,
                           at.x,
                           at.y,
                           static_cast<std::uint32_t>(records_->address()),
                           core == giver ? 1U : 0U,
                           (far.x + 1) * (far.y + 1),
                           value,
                           to.x,
                           to.y};
    const KernelHandle kernel =
        CreateKernel(program, "firmware/kernels/microbenchmarks/woken_tile.cpp", core, config);
    SetRuntimeArgs(program, kernel, core, {static_cast<std::uint32_t>(random())});
  }
  arguments_ = {1, signal, ready, at.x, at.y};
}

void GoSignal::append_to(std::vector<std::uint32_t>& compile_args) const {
  compile_args.insert(compile_args.end(), arguments_.begin(), arguments_.end());
}

}  // namespace tvp::workloads::microbenchmarks
